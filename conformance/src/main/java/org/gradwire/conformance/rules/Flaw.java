package org.gradwire.conformance.rules;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * A way in which a backend can be broken, as something put around a sound agent. Each is there to
 * be caught by the rule it breaks: this is how the kit is tested.
 */
public enum Flaw {
    /** One reply in a hundred never arrives. */
    LOSES_A_REPLY("SEND-1", LosesReply::new),
    /** One reply in a hundred arrives twice. */
    ANSWERS_TWICE("SEND-1", AnswersTwice::new),
    /** The last byte of every large buffer is wrong. */
    CORRUPTS_A_BYTE("SEND-2", CorruptsByte::new),
    /** Two replies that wait at the same time are exchanged. */
    SWAPS_REPLIES("SEND-3", SwapsReplies::new),
    /** Every request seems to come from worker 0. */
    NAMES_THE_WRONG_SENDER("SEND-4", NamesWrongSender::new),
    /** Small buffers are received into the same array. */
    REUSES_A_BUFFER("SEND-5", ReusesBuffer::new),
    /** Requests live forever. */
    IGNORES_THE_DEADLINE("TIME-1", IgnoresDeadline::new),
    /** The loss of a peer is kept secret. */
    HIDES_A_LOST_PEER("FAIL-1", HidesLostPeer::new),
    /** A member that has left stays connected. */
    IGNORES_A_DISCONNECTION("GROUP-1", IgnoresDisconnection::new),
    /** Only the first members are ever met. */
    CONNECTS_ONCE("GROUP-2", ConnectsOnce::new),
    /** Close waits for what never comes. */
    HANGS_IN_CLOSE("CLOSE-1", HangsInClose::new);

    private final String breaks;
    private final UnaryOperator<RpcAgent> wrap;

    Flaw(String breaks, UnaryOperator<RpcAgent> wrap) {
        this.breaks = breaks;
        this.wrap = wrap;
    }

    /** {@return id of the rule that is broken} */
    public String breaks() {
        return breaks;
    }

    /** Put the flaw around a sound agent. */
    public RpcAgent around(RpcAgent sound) {
        return wrap.apply(sound);
    }

    /** Does something else with replies; failures pass. */
    @FunctionalInterface
    private interface OnReply extends ReplyHandler {
        @Override
        default void onFailure(RuntimeException failure) {}

        static ReplyHandler of(ReplyHandler original, OnReply onReply) {
            return new ReplyHandler() {
                @Override
                public void onReply(Message reply) {
                    onReply.onReply(reply);
                }

                @Override
                public void onFailure(RuntimeException failure) {
                    original.onFailure(failure);
                }
            };
        }
    }

    private static final class LosesReply extends ForwardingAgent {
        private final AtomicInteger count = new AtomicInteger();

        LosesReply(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    OnReply.of(
                            handler,
                            reply -> {
                                if (count.incrementAndGet() % 100 != 0) {
                                    handler.onReply(reply);
                                }
                            }));
        }
    }

    private static final class AnswersTwice extends ForwardingAgent {
        private final AtomicInteger count = new AtomicInteger();

        AnswersTwice(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    OnReply.of(
                            handler,
                            reply -> {
                                handler.onReply(reply);
                                if (count.incrementAndGet() % 100 == 0) {
                                    handler.onReply(reply);
                                }
                            }));
        }
    }

    private static final class CorruptsByte extends ForwardingAgent {
        CorruptsByte(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    OnReply.of(
                            handler,
                            reply -> {
                                for (MemorySegment buffer : reply.buffers()) {
                                    if (buffer.byteSize() > 60_000) {
                                        MemorySegment last = buffer.asSlice(buffer.byteSize() - 1);
                                        last.set(
                                                ValueLayout.JAVA_BYTE,
                                                0,
                                                (byte) ~last.get(ValueLayout.JAVA_BYTE, 0));
                                    }
                                }
                                handler.onReply(reply);
                            }));
        }
    }

    private static final class SwapsReplies extends ForwardingAgent {
        private @Nullable ReplyHandler waiting; // both guarded by this
        private @Nullable Message kept;

        SwapsReplies(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(
                    to, request, timeoutNanos, OnReply.of(handler, reply -> swap(handler, reply)));
        }

        private synchronized void swap(ReplyHandler handler, Message reply) {
            if (waiting == null || kept == null) {
                waiting = handler;
                kept = reply;
            } else {
                waiting.onReply(reply);
                handler.onReply(kept);
                waiting = null;
            }
        }
    }

    /** Does something else with what comes in. */
    private abstract static class OnRequest extends ForwardingAgent {
        OnRequest(RpcAgent sound) {
            super(sound);
        }

        abstract void onRequest(
                AgentListener listener, int from, Message request, ReplySink replies);

        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            listener.onPeerLost(peer, reason);
        }

        @Override
        public void start(AgentListener listener) {
            super.start(
                    new AgentListener() {
                        @Override
                        public void onRequest(int from, Message request, ReplySink replies) {
                            OnRequest.this.onRequest(listener, from, request, replies);
                        }

                        @Override
                        public void onPeerLost(int peer, RpcException reason) {
                            OnRequest.this.onPeerLost(listener, peer, reason);
                        }
                    });
        }
    }

    private static final class NamesWrongSender extends OnRequest {
        NamesWrongSender(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(AgentListener listener, int from, Message request, ReplySink replies) {
            listener.onRequest(0, request, replies);
        }
    }

    private static final class ReusesBuffer extends OnRequest {
        private final MemorySegment shared = MemorySegment.ofArray(new float[1024]);

        ReusesBuffer(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(AgentListener listener, int from, Message request, ReplySink replies) {
            List<MemorySegment> buffers = new ArrayList<>();
            for (MemorySegment buffer : request.buffers()) {
                boolean small = buffer.byteSize() <= shared.byteSize();
                buffers.add(small ? shared.asSlice(0, buffer.byteSize()).copyFrom(buffer) : buffer);
            }
            listener.onRequest(
                    from, new Message(request.type(), request.payload(), buffers), replies);
        }
    }

    private static final class IgnoresDeadline extends ForwardingAgent {
        IgnoresDeadline(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, request, 0, handler);
        }
    }

    private static final class HidesLostPeer extends OnRequest {
        HidesLostPeer(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(AgentListener listener, int from, Message request, ReplySink replies) {
            listener.onRequest(from, request, replies);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {}

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message reply) {
                            handler.onReply(reply);
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            if (!(failure instanceof RpcConnectionException)) {
                                handler.onFailure(failure);
                            }
                        }
                    });
        }
    }

    private static final class IgnoresDisconnection extends ForwardingAgent {
        IgnoresDisconnection(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void disconnect(int member) {}
    }

    private static final class ConnectsOnce extends ForwardingAgent {
        private boolean connected;

        ConnectsOnce(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void connect(List<WorkerInfo> members) {
            if (!connected) {
                connected = true;
                super.connect(members);
            }
        }
    }

    private static final class HangsInClose extends ForwardingAgent {
        HangsInClose(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void close() {
            super.close();
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
        }
    }
}
