package org.gradwire.autograd;

import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Worker;

/** Adds tensors and distributed autograd to workers. Made by {@link java.util.ServiceLoader}. */
public final class AutogradExtensionProvider implements RpcExtensionProvider {

    /** For {@link java.util.ServiceLoader}. */
    public AutogradExtensionProvider() {}

    @Override
    public String name() {
        return "autograd";
    }

    @Override
    public RpcExtension create(Worker worker) {
        return new AutogradExtension(worker);
    }
}
