package org.gradwire.fuzz;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The backend {@code inproc} with agents that a target finds by the name of their worker. */
public final class TappedBackend implements BackendProvider {
    static final String NAME = "tapped";

    /** Shared, since agents of one provider find each other. */
    private static final BackendProvider INPROC = inproc();

    private static final Map<String, Agent> AGENTS = new ConcurrentHashMap<>();

    /** For the ServiceLoader. */
    public TappedBackend() {}

    private static BackendProvider inproc() {
        return ServiceLoader.load(BackendProvider.class).stream()
                .filter(provider -> !provider.type().equals(TappedBackend.class))
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("inproc"))
                .findFirst()
                .orElseThrow();
    }

    static Agent agent(String worker) {
        return Objects.requireNonNull(AGENTS.get(worker), worker);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RpcAgent create(AgentContext context) {
        var agent = new Agent(INPROC.create(context));
        AGENTS.put(context.self().name(), agent);
        return agent;
    }

    /** An agent that can keep the requests it sends. */
    static final class Agent extends ForwardingAgent {
        private final List<Message> sent = new CopyOnWriteArrayList<>();
        private volatile boolean isKeeping;

        private Agent(RpcAgent agent) {
            super(agent);
        }

        /** Keep the requests from now on. */
        void keep() {
            isKeeping = true;
        }

        /** {@return the kept requests} */
        List<Message> sent() {
            return sent;
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (isKeeping) {
                sent.add(request.copy(BufferAllocator.plain()));
            }
            super.send(to, request, timeoutNanos, handler);
        }
    }
}
