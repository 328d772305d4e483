package org.gradwire.conformance.flaws;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Messages that arrive as something else, and memory that is nobody's or two's. */
final class MessageFlaws {
    private static final long LARGE = 60_000;
    private static final long PART = 1 << 20;

    static final List<Flaw> ALL =
            List.of(
                    // The last byte of every large buffer is wrong.
                    Flaw.ofReplies("CORRUPTS_A_BYTE", List.of("SEND-2"), () -> corrupt()),
                    // Buffers of no bytes are left out.
                    Flaw.ofRequests(
                            "DROPS_EMPTY_BUFFERS",
                            List.of("SEND-2", "SIZE-1"),
                            MessageFlaws::withoutEmpty),
                    // A buffer ends where its first chunk does.
                    Flaw.ofRequests("TRUNCATES_A_BUFFER", List.of("SIZE-1"), MessageFlaws::cut),
                    // Of a message that is too large, the buffers stay behind.
                    Flaw.ofAgents("SENDS_HALF_OF_TOO_MUCH", List.of("SIZE-2"), SendsHalf::new),
                    // Small buffers are received into the same array.
                    Flaw.ofAgents("REUSES_A_BUFFER", List.of("SEND-5"), ReusesBuffer::new),
                    // What a worker sends to itself is not copied.
                    Flaw.ofAgents(
                            "SHARES_BUFFERS_WITH_ITSELF", List.of("SEND-6"), SharesWithItself::new),
                    // The memory of requests is never given back.
                    Flaw.ofAgents("NEVER_RELEASES", List.of("OWN-1", "OWN-2"), NeverReleases::new),
                    // The memory of requests is given back only when they are answered.
                    Flaw.ofAgents("FORGETS_FAILED_MESSAGES", List.of("OWN-1"), ForgetsFailed::new),
                    // The memory of requests is given back before it was read.
                    Flaw.ofAgents("RELEASES_TOO_EARLY", List.of("OWN-2"), ReleasesEarly::new),
                    // The memory of replies is never given back.
                    Flaw.ofAgents("KEEPS_REPLIES", List.of("OWN-3"), KeepsReplies::new),
                    // The memory of replies is given back before it was read.
                    Flaw.ofAgents(
                            "RELEASES_REPLIES_TOO_EARLY",
                            List.of("OWN-3"),
                            ReleasesRepliesEarly::new),
                    // Buffers lie in memory of the backend's own.
                    Flaw.ofContexts(
                            "IGNORES_THE_ALLOCATOR",
                            List.of("OWN-4"),
                            context ->
                                    new AgentContext(
                                            context.self(),
                                            context.settings(),
                                            context.store(),
                                            BufferAllocator.plain())));

    private MessageFlaws() {}

    private static Flaw.OnReply corrupt() {
        return (handler, reply) -> {
            for (MemorySegment buffer : reply.buffers()) {
                if (buffer.byteSize() > LARGE) {
                    long last = buffer.byteSize() - 1;
                    byte wrong = (byte) ~buffer.get(ValueLayout.JAVA_BYTE, last);
                    buffer.set(ValueLayout.JAVA_BYTE, last, wrong);
                }
            }
            handler.onReply(reply);
        };
    }

    private static Message withoutEmpty(Message message) {
        return new Message(
                message.type(),
                message.payload(),
                message.buffers().stream().filter(buffer -> buffer.byteSize() > 0).toList());
    }

    private static Message cut(Message message) {
        return new Message(
                message.type(),
                message.payload(),
                message.buffers().stream()
                        .map(buffer -> buffer.asSlice(0, Math.min(PART, buffer.byteSize())))
                        .toList());
    }

    private static final class SendsHalf extends FlawedAgent {
        SendsHalf(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    failing(
                            handler,
                            failure -> {
                                if (failure instanceof RpcException e
                                        && e.kind() == RpcErrorKind.REFUSED
                                        && !request.buffers().isEmpty()) {
                                    var half =
                                            new Message(
                                                    request.type(), request.payload(), List.of());
                                    SendsHalf.super.send(to, half, timeoutNanos, handler);
                                } else {
                                    handler.onFailure(failure);
                                }
                            }));
        }
    }

    private static final class ReusesBuffer extends FlawedAgent {
        private final MemorySegment shared = MemorySegment.ofArray(new float[1024]);

        ReusesBuffer(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            Message message = request.message();
            List<MemorySegment> buffers = new ArrayList<>();
            for (MemorySegment buffer : message.buffers()) {
                boolean small = buffer.byteSize() <= shared.byteSize();
                buffers.add(small ? shared.asSlice(0, buffer.byteSize()).copyFrom(buffer) : buffer);
            }
            request.with(new Message(message.type(), message.payload(), buffers)).handIn();
        }
    }

    private static final class SharesWithItself extends FlawedAgent {
        private final int self;
        private volatile @Nullable AgentListener listener;

        SharesWithItself(AgentContext context, RpcAgent sound) {
            super(sound);
            self = context.self().id();
        }

        @Override
        public void start(AgentListener newListener) {
            listener = newListener;
            super.start(newListener);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            AgentListener known = listener;
            if (to == self && known != null) {
                known.onRequest(self, unowned(request), handler::onReply);
                request.release();
            } else {
                super.send(to, request, timeoutNanos, handler);
            }
        }
    }

    private static final class NeverReleases extends FlawedAgent {
        NeverReleases(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, unowned(request), timeoutNanos, handler);
        }
    }

    private static final class ForgetsFailed extends FlawedAgent {
        ForgetsFailed(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(
                    to,
                    unowned(request),
                    timeoutNanos,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message reply) {
                            request.release();
                            handler.onReply(reply);
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            handler.onFailure(failure);
                        }
                    });
        }
    }

    private static final class ReleasesEarly extends FlawedAgent {
        ReleasesEarly(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            request.release();
            super.send(to, request, timeoutNanos, handler);
        }
    }

    private static final class KeepsReplies extends FlawedAgent {
        KeepsReplies(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            request.with(reply -> request.replies().reply(unowned(reply))).handIn();
        }
    }

    private static final class ReleasesRepliesEarly extends FlawedAgent {
        ReleasesRepliesEarly(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            request.with(
                            reply -> {
                                reply.release();
                                request.replies().reply(reply);
                            })
                    .handIn();
        }
    }
}
