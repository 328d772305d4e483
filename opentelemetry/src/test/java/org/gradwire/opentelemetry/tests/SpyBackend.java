package org.gradwire.opentelemetry.tests;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.Map;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The backend {@code inproc} with a metric of the sent requests. */
public final class SpyBackend implements BackendProvider {
    /** Metric: the sent requests, as {@code TYPE:bytes} each. */
    static final String SENT = "spy.sent";

    /** Shared by all workers, since its agents connect within one provider. */
    private final BackendProvider inproc =
            ServiceLoader.load(BackendProvider.class).stream()
                    .filter(provider -> !provider.type().equals(SpyBackend.class))
                    .map(ServiceLoader.Provider::get)
                    .filter(provider -> provider.name().equals("inproc"))
                    .findFirst()
                    .orElseThrow();

    @Override
    public String name() {
        return "spy";
    }

    @Override
    public RpcAgent create(AgentContext context) {
        return new Spy(inproc.create(context));
    }

    private static final class Spy extends ForwardingAgent {
        private final Queue<String> sent = new ConcurrentLinkedQueue<>();

        Spy(RpcAgent agent) {
            super(agent);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            sent.add(MessageTypes.name(request.type()) + ":" + request.byteSize());
            super.send(to, request, timeoutNanos, handler);
        }

        @Override
        public Map<String, String> debugInfo() {
            return Map.of(SENT, String.join(" ", sent));
        }
    }
}
