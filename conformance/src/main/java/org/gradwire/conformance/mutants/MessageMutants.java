package org.gradwire.conformance.mutants;

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

/** Mutants that corrupt messages, or release memory at the wrong time. */
final class MessageMutants {
    private static final long LARGE = 60_000;
    private static final long PART = 1 << 20;

    static final List<Mutant> ALL =
            List.of(
                    // The last byte of every large buffer is wrong.
                    Mutant.ofReplies("CORRUPTS_A_BYTE", List.of("SEND-2"), () -> corrupt()),
                    // Empty buffers are dropped.
                    Mutant.ofRequests(
                            "DROPS_EMPTY_BUFFERS",
                            List.of("SEND-2", "SIZE-1"),
                            MessageMutants::withoutEmpty),
                    // A buffer is truncated after its first chunk.
                    Mutant.ofRequests("TRUNCATES_A_BUFFER", List.of("SIZE-1"), MessageMutants::cut),
                    // A message that is too large is sent without its buffers.
                    Mutant.ofAgents("SENDS_HALF_OF_TOO_MUCH", List.of("SIZE-2"), SendsHalf::new),
                    // Small buffers are received into the same array.
                    Mutant.ofAgents("REUSES_A_BUFFER", List.of("SEND-5"), ReusesBuffer::new),
                    // A message to oneself is not copied.
                    Mutant.ofAgents(
                            "SHARES_BUFFERS_WITH_ITSELF", List.of("SEND-6"), SharesWithItself::new),
                    // Requests are never released.
                    Mutant.ofAgents(
                            "NEVER_RELEASES", List.of("OWN-1", "OWN-2"), NeverReleases::new),
                    // Requests are released only when they are answered.
                    Mutant.ofAgents(
                            "FORGETS_FAILED_MESSAGES", List.of("OWN-1"), ForgetsFailed::new),
                    // Requests are released before they are read.
                    Mutant.ofAgents("RELEASES_TOO_EARLY", List.of("OWN-2"), ReleasesEarly::new),
                    // Replies are never released.
                    Mutant.ofAgents("KEEPS_REPLIES", List.of("OWN-3"), KeepsReplies::new),
                    // Replies are released before they are read.
                    Mutant.ofAgents(
                            "RELEASES_REPLIES_TOO_EARLY",
                            List.of("OWN-3"),
                            ReleasesRepliesEarly::new),
                    // Buffers are not allocated by the context's allocator.
                    Mutant.ofContexts(
                            "IGNORES_THE_ALLOCATOR",
                            List.of("OWN-4"),
                            context ->
                                    new AgentContext(
                                            context.self(),
                                            context.settings(),
                                            context.store(),
                                            BufferAllocator.plain())));

    private MessageMutants() {}

    private static Mutant.OnReply corrupt() {
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

    private static final class SendsHalf extends MutantAgent {
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

    private static final class ReusesBuffer extends MutantAgent {
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

    private static final class SharesWithItself extends MutantAgent {
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

    private static final class NeverReleases extends MutantAgent {
        NeverReleases(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, unowned(request), timeoutNanos, handler);
        }
    }

    private static final class ForgetsFailed extends MutantAgent {
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

    private static final class ReleasesEarly extends MutantAgent {
        ReleasesEarly(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            request.release();
            super.send(to, request, timeoutNanos, handler);
        }
    }

    private static final class KeepsReplies extends MutantAgent {
        KeepsReplies(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            request.with(reply -> request.replies().reply(unowned(reply))).handIn();
        }
    }

    private static final class ReleasesRepliesEarly extends MutantAgent {
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
