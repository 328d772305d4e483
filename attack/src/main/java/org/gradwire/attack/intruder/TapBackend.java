package org.gradwire.attack.intruder;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The group's backend with a registry of its agents by worker name, for attackers. {@code
 * GRADWIRE_BACKEND} names the backend, {@code tensorpipe} by default.
 */
public final class TapBackend implements BackendProvider {
    static final String NAME = "tap";
    private static final Map<String, TapAgent> AGENTS = new ConcurrentHashMap<>();

    /** For the ServiceLoader. */
    public TapBackend() {}

    /** Remove the agent of a worker from the registry; {@return the agent} */
    static TapAgent take(String worker) {
        TapAgent agent = AGENTS.remove(worker);
        if (agent == null) {
            throw new IllegalStateException("no worker '" + worker + "' was made over " + NAME);
        }
        return agent;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RpcAgent create(AgentContext context) {
        String wrapped = System.getenv().getOrDefault("GRADWIRE_BACKEND", "tensorpipe");
        BackendProvider tapped =
                ServiceLoader.load(BackendProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(provider -> provider.name().equals(wrapped))
                        .findFirst()
                        .orElseThrow(() ->
                                new RpcConfigurationException(
                                        "gradwire.backend=tap needs backend '%s' on the module path"
                                                .formatted(wrapped)));
        var agent = new TapAgent(tapped.create(context), context.store());
        AGENTS.put(context.self().name(), agent);
        return agent;
    }
}
