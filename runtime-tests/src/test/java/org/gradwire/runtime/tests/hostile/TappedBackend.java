package org.gradwire.runtime.tests.hostile;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The backend {@code inproc} with access to the agent of a hostile worker. */
public final class TappedBackend implements BackendProvider {
    static final String NAME = "tapped";

    /** The worker whose requests are recorded. */
    static final String HOSTILE = "zorro";

    /** Shared by all agents, since those of one provider connect to each other. */
    private static final BackendProvider INPROC =
            ServiceLoader.load(BackendProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(provider -> provider.name().equals("inproc"))
                    .findFirst()
                    .orElseThrow();

    private static final Map<String, Agent> AGENTS = new ConcurrentHashMap<>();

    /** For the ServiceLoader. */
    public TappedBackend() {}

    static Agent agent(String worker) {
        Agent agent = AGENTS.get(worker);
        if (agent == null) {
            throw new AssertionError("no worker '" + worker + "' runs over '" + NAME + "'");
        }
        return agent;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RpcAgent create(AgentContext context) {
        var agent = new Agent(INPROC.create(context));
        agent.keeps = context.self().name().equals(HOSTILE);
        AGENTS.put(context.self().name(), agent);
        return agent;
    }

    /** Records a copy and the target of each request of a hostile worker. */
    static final class Agent extends ForwardingAgent {
        private final List<Message> sent = new CopyOnWriteArrayList<>();
        private final Map<Integer, AtomicInteger> countsByTarget = new ConcurrentHashMap<>();
        private volatile boolean keeps;

        private Agent(RpcAgent agent) {
            super(agent);
        }

        /** Stop recording; {@return the recorded requests} */
        List<Message> sent() {
            keeps = false;
            return sent;
        }

        /** {@return the number of requests to a worker} */
        int sentTo(int target) {
            AtomicInteger count = countsByTarget.get(target);
            return count == null ? 0 : count.get();
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            countsByTarget.computeIfAbsent(to, _ -> new AtomicInteger()).incrementAndGet();
            if (keeps) {
                sent.add(request.copy(BufferAllocator.plain()));
            }
            super.send(to, request, timeoutNanos, handler);
        }
    }
}
