package org.gradwire.collective;

import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Worker;

import java.util.List;

/** Adds process groups to workers. Created by {@link java.util.ServiceLoader}. */
public final class CollectiveExtensionProvider implements RpcExtensionProvider {

    /** For {@link java.util.ServiceLoader}. */
    public CollectiveExtensionProvider() {}

    @Override
    public String name() {
        return "collective";
    }

    @Override
    public List<Setting> settings() {
        return List.of(CallSites.SETTING);
    }

    @Override
    public RpcExtension create(Worker worker) {
        return new CollectiveExtension(worker);
    }
}
