package org.gradwire.conformance.test;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The {@code inproc} backend with agents that a test finds by worker name. */
public final class TappedBackend implements BackendProvider {
    static final String NAME = "tapped";

    /** Shared, since agents of one provider find each other. */
    private static final BackendProvider INPROC = Backends.provider(Backends.inproc());

    private static final Map<String, TappedAgent> AGENTS = new ConcurrentHashMap<>();

    /** For the ServiceLoader. */
    public TappedBackend() {}

    static TappedAgent agent(String worker) {
        TappedAgent agent = AGENTS.get(worker);
        if (agent == null) {
            throw new RpcException("no worker '%s' runs over '%s'".formatted(worker, NAME));
        }
        return agent;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Setting> settings() {
        return List.of();
    }

    @Override
    public RpcAgent create(AgentContext context) {
        var agent = new TappedAgent(INPROC.create(context));
        AGENTS.put(context.self().name(), agent);
        return agent;
    }
}
