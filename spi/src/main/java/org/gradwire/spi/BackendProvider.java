package org.gradwire.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates the agents of one backend. A service with a public constructor without arguments, as
 * {@link java.util.ServiceLoader} requires.
 */
public interface BackendProvider {

    /**
     * {@return the name by which {@code gradwire.backend} chooses this backend: lower-case, stable}
     */
    String name();

    /** {@return the settings of this backend, each under {@code gradwire.<name>.}} */
    default List<Setting> settings() {
        return List.of();
    }

    /** {@return this backend's defaults for settings of the runtime} */
    default Map<String, String> defaults() {
        return Map.of();
    }

    /**
     * Return the reason why this backend cannot work in this JVM on this machine, as one sentence
     * that names the remedy; empty if it can.
     *
     * @param settings of the worker that is about to use the backend
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
