package org.gradwire.conformance.flaws;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that end wrongly, twice, never, or at the wrong time. */
final class ReplyFlaws {
    static final List<Flaw> ALL =
            List.of(
                    // One reply in a hundred never arrives.
                    Flaw.ofReplies("LOSES_A_REPLY", List.of("SEND-1"), () -> every(100, 0)),
                    // One reply in a thousand.
                    Flaw.ofReplies("SELDOM_LOSES_A_REPLY", List.of("SEND-1"), () -> every(997, 0)),
                    // One reply in a hundred arrives twice.
                    Flaw.ofReplies("ANSWERS_TWICE", List.of("SEND-1"), () -> every(100, 2)),
                    // Two replies that wait at the same time are exchanged.
                    Flaw.ofReplies("SWAPS_REPLIES", List.of("SEND-3"), SwapsReplies::new),
                    // Requests live forever.
                    Flaw.ofAgents("IGNORES_THE_DEADLINE", List.of("TIME-1"), IgnoresDeadline::new),
                    // Requests live half as long as they should.
                    Flaw.ofAgents("TIMES_OUT_EARLY", List.of("TIME-1"), TimesOutEarly::new),
                    // A reply counts that comes after the deadline.
                    Flaw.ofAgents("TAKES_LATE_REPLIES", List.of("TIME-2"), TakesLateReplies::new),
                    // A long time is taken for one in the past.
                    Flaw.ofAgents(
                            "OVERFLOWS_THE_DEADLINE", List.of("TIME-3"), OverflowsDeadline::new),
                    // A request that cannot be sent just ends nowhere.
                    Flaw.ofAgents("SWALLOWS_FAILURES", List.of("FAIL-2"), SwallowsFailures::new),
                    // A request to nobody fails with a kind that programs do not catch.
                    Flaw.ofAgents(
                            "HAS_NO_TYPE_FOR_A_FAILURE",
                            List.of("FAIL-2", "FAIL-1"),
                            agent ->
                                    new FlawedAgent(agent) {
                                        @Override
                                        void onFailure(
                                                ReplyHandler handler, RuntimeException failure) {
                                            handler.onFailure(untyped(failure));
                                        }
                                    }),
                    // A request to nobody is an exception of its caller.
                    Flaw.ofAgents(
                            "THROWS_AT_WHO_CALLS_NOBODY", List.of("FAIL-2"), ThrowsInSend::new),
                    // Whatever type a message has, it is sent as a request.
                    Flaw.ofAgents(
                            "TAKES_A_REPLY_AS_A_REQUEST",
                            List.of("SEND-7"),
                            TakesReplyAsRequest::new));

    private ReplyFlaws() {}

    private static RuntimeException untyped(RuntimeException failure) {
        boolean isOfAPeer =
                failure instanceof RpcConnectionException
                        || (failure instanceof RpcException e && e.kind() == RpcErrorKind.REFUSED);
        return isOfAPeer
                ? new RpcException(RpcErrorKind.CONNECTION, String.valueOf(failure.getMessage()))
                : failure;
    }

    private static Flaw.OnReply every(int period, int times) {
        var count = new AtomicInteger();
        return (handler, reply) -> {
            int left = count.incrementAndGet() % period == 0 ? times : 1;
            for (int i = 0; i < left; i++) {
                handler.onReply(reply);
            }
        };
    }

    /** A reply waits a moment for another one, to be exchanged with it. */
    private static final class SwapsReplies implements Flaw.OnReply {
        private static final long MOMENT_MILLIS = 20;

        /** Two are never equal, which a record of the same might be. */
        private static final class Waiting {
            private final ReplyHandler handler;
            private final Message reply;

            Waiting(ReplyHandler handler, Message reply) {
                this.handler = handler;
                this.reply = reply;
            }
        }

        private @Nullable Waiting waiting; // guarded by this

        @Override
        public synchronized void accept(ReplyHandler handler, Message reply) {
            Waiting other = waiting;
            if (other == null) {
                var own = new Waiting(handler, reply);
                waiting = own;
                FlawedAgent.after(MOMENT_MILLIS).execute(() -> giveUp(own));
            } else {
                waiting = null;
                other.handler.onReply(reply);
                handler.onReply(other.reply);
            }
        }

        private synchronized void giveUp(Waiting own) {
            if (own.equals(waiting)) {
                waiting = null;
                own.handler.onReply(own.reply);
            }
        }
    }

    private static final class IgnoresDeadline extends FlawedAgent {
        IgnoresDeadline(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, request, 0, handler);
        }
    }

    private static final class TimesOutEarly extends FlawedAgent {
        TimesOutEarly(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, request, timeoutNanos / 2, handler);
        }
    }

    private static final class TakesLateReplies extends FlawedAgent {
        TakesLateReplies(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            var ended = new AtomicBoolean();
            super.send(
                    to,
                    request,
                    0,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message reply) {
                            ended.set(true);
                            handler.onReply(reply);
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            if (ended.compareAndSet(false, true)) {
                                handler.onFailure(failure);
                            }
                        }
                    });
            if (timeoutNanos > 0) {
                after(timeoutNanos / 1_000_000 + 1)
                        .execute(() -> {
                            if (ended.compareAndSet(false, true)) {
                                handler.onFailure(new RpcTimeoutException("its time is up"));
                            }
                        });
            }
        }
    }

    private static final class OverflowsDeadline extends FlawedAgent {
        OverflowsDeadline(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            boolean overflows = System.nanoTime() + Math.max(0, timeoutNanos) < System.nanoTime();
            super.send(
                    to,
                    request,
                    overflows || timeoutNanos > Long.MAX_VALUE / 2 ? 1 : timeoutNanos,
                    handler);
        }
    }

    private static final class SwallowsFailures extends FlawedAgent {
        private final ThreadLocal<Boolean> isSending = ThreadLocal.withInitial(() -> false);

        SwallowsFailures(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            isSending.set(true);
            super.send(to, request, timeoutNanos, handler);
            isSending.remove();
        }

        @Override
        void onFailure(ReplyHandler handler, RuntimeException failure) {
            if (!isSending.get()) {
                handler.onFailure(failure);
            }
        }
    }

    private static final class ThrowsInSend extends FlawedAgent {
        private final ThreadLocal<@Nullable RuntimeException> failed = new ThreadLocal<>();
        private final ThreadLocal<Boolean> isSending = ThreadLocal.withInitial(() -> false);

        ThrowsInSend(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            isSending.set(true);
            super.send(to, request, timeoutNanos, handler);
            isSending.remove();
            RuntimeException failure = failed.get();
            failed.remove();
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        void onFailure(ReplyHandler handler, RuntimeException failure) {
            if (isSending.get()) {
                failed.set(failure);
            } else {
                handler.onFailure(failure);
            }
        }
    }

    private static final class TakesReplyAsRequest extends FlawedAgent {
        TakesReplyAsRequest(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message message, long timeoutNanos, ReplyHandler handler) {
            Message request =
                    MessageTypes.isRequest(message.type())
                            ? message
                            : new Message(
                                    MessageTypes.PYTHON_CALL, message.payload(), message.buffers());
            super.send(to, request, timeoutNanos, handler);
        }
    }
}
