package org.gradwire.attack.intruder;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/** The backend {@code tensorpipe} with a registry of its agents by worker name, for attackers. */
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
        BackendProvider tapped =
                ServiceLoader.load(BackendProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(provider -> provider.name().equals("tensorpipe"))
                        .findFirst()
                        .orElseThrow(() ->
                                new RpcConfigurationException(
                                        "gradwire.backend=tap needs backend 'tensorpipe' on the module path"));
        var agent = new TapAgent(tapped.create(context), context.store());
        AGENTS.put(context.self().name(), agent);
        return agent;
    }
}
