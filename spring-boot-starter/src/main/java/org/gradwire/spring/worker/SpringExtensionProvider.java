package org.gradwire.spring.worker;

import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Worker;

import java.util.List;

/** Adds a {@link SpringExtension} to each worker. Made by {@link java.util.ServiceLoader}. */
public final class SpringExtensionProvider implements RpcExtensionProvider {
    private static final String ENABLED = "gradwire.spring.enabled";
    private static final String SHUTDOWN_TIMEOUT = "gradwire.spring.shutdown-timeout";

    /** For {@link java.util.ServiceLoader}. */
    public SpringExtensionProvider() {}

    @Override
    public String name() {
        return "spring";
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                new Setting(
                        ENABLED,
                        "true",
                        "Whether the application has a worker as a bean, with health and metrics. Read from Spring's environment only."),
                new Setting(
                        SHUTDOWN_TIMEOUT,
                        "20s",
                        "How long a closing application context waits for the other workers to leave the group too, before its worker leaves without them; 0s means without a timeout."));
    }

    @Override
    public RpcExtension create(Worker worker) {
        return new SpringExtension(
                worker.settings().duration(SHUTDOWN_TIMEOUT), worker.inDynamicGroup());
    }
}
