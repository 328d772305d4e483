package org.gradwire.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the agents of one backend. Provided as a service; the public constructor without arguments
 * is there for {@link java.util.ServiceLoader}.
 */
public interface BackendProvider {

    /**
     * {@return the name by which {@code gradwire.backend} chooses this backend: lower-case, stable}
     */
    String name();

    /** {@return the settings this backend knows, each under {@code gradwire.<name>.}} */
    default List<Setting> settings() {
        return List.of();
    }

    /**
     * {@return values of the runtime's settings that suit this backend, for those that nobody sets}
     */
    default Map<String, String> defaults() {
        return Map.of();
    }

    /**
     * Return why this backend cannot work in this JVM on this machine, in one sentence that says
     * what to do; empty when it can.
     *
     * @param settings of the worker that asks
     */
    default Optional<String> obstacle(Settings settings) {
        return Optional.empty();
    }

    /**
     * Create the agent of a worker, not yet started.
     *
     * @throws org.gradwire.rpc.RpcConfigurationException when a setting is wrong
     */
    RpcAgent create(AgentContext context);
}
