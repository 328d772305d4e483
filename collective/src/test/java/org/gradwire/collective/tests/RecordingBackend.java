package org.gradwire.collective.tests;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The backend {@code inproc}, which records the requests of the worker {@code worker0}, and the
 * replies that it gets.
 */
public final class RecordingBackend implements BackendProvider {
    static final String NAME = "recording";

    /** Type, and payload and buffers in hexadecimal, of each request. */
    static final List<String> REQUESTS = new CopyOnWriteArrayList<>();

    /** The same of each reply. */
    static final List<String> REPLIES = new CopyOnWriteArrayList<>();

    /** Shared, since agents of one provider find each other. */
    private static final BackendProvider INPROC =
            ServiceLoader.load(BackendProvider.class).stream()
                    .filter(provider -> !provider.type().equals(RecordingBackend.class))
                    .map(ServiceLoader.Provider::get)
                    .filter(provider -> provider.name().equals("inproc"))
                    .findFirst()
                    .orElseThrow();

    /** For the ServiceLoader. */
    public RecordingBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RpcAgent create(AgentContext context) {
        RpcAgent agent = INPROC.create(context);
        return context.self().name().equals("worker0") ? new Agent(agent) : agent;
    }

    private static String text(Message message) {
        var text = new StringBuilder(MessageTypes.name(message.type()) + " ");
        text.append(HexFormat.of().formatHex(message.payload()));
        for (MemorySegment buffer : message.buffers()) {
            text.append(" ")
                    .append(HexFormat.of().formatHex(buffer.toArray(ValueLayout.JAVA_BYTE)));
        }
        return text.toString();
    }

    private static final class Agent extends ForwardingAgent {
        private Agent(RpcAgent agent) {
            super(agent);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            REQUESTS.add(text(request));
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message reply) {
                            REPLIES.add(text(reply));
                            handler.onReply(reply);
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            handler.onFailure(failure);
                        }
                    });
        }
    }
}
