package org.gradwire.conformance.mutants;

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

/** Mutants whose requests end wrongly, twice, never, or at the wrong time. */
final class ReplyMutants {
    static final List<Mutant> ALL =
            List.of(
                    // One reply in a hundred is lost.
                    Mutant.ofReplies("LOSES_A_REPLY", List.of("SEND-1"), () -> every(100, 0)),
                    // One reply in a thousand is lost.
                    Mutant.ofReplies(
                            "SELDOM_LOSES_A_REPLY", List.of("SEND-1"), () -> every(997, 0)),
                    // One reply in a hundred arrives twice.
                    Mutant.ofReplies("ANSWERS_TWICE", List.of("SEND-1"), () -> every(100, 2)),
                    // Two concurrent replies are swapped.
                    Mutant.ofReplies("SWAPS_REPLIES", List.of("SEND-3"), SwapsReplies::new),
                    // Requests never time out.
                    Mutant.ofAgents(
                            "IGNORES_THE_DEADLINE", List.of("TIME-1"), IgnoresDeadline::new),
                    // Requests time out after half their time.
                    Mutant.ofAgents("TIMES_OUT_EARLY", List.of("TIME-1"), TimesOutEarly::new),
                    // A reply after the deadline is delivered.
                    Mutant.ofAgents("TAKES_LATE_REPLIES", List.of("TIME-2"), TakesLateReplies::new),
                    // A long timeout overflows into the past.
                    Mutant.ofAgents(
                            "OVERFLOWS_THE_DEADLINE", List.of("TIME-3"), OverflowsDeadline::new),
                    // A request that cannot be sent never ends.
                    Mutant.ofAgents("SWALLOWS_FAILURES", List.of("FAIL-2"), SwallowsFailures::new),
                    // A request to an unknown id fails with the wrong kind.
                    Mutant.ofAgents(
                            "HAS_NO_TYPE_FOR_A_FAILURE",
                            List.of("FAIL-2", "FAIL-1"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onFailure(
                                                ReplyHandler handler, RuntimeException failure) {
                                            handler.onFailure(untyped(failure));
                                        }
                                    }),
                    // A request to an unknown id throws at the caller.
                    Mutant.ofAgents(
                            "THROWS_AT_WHO_CALLS_NOBODY", List.of("FAIL-2"), ThrowsInSend::new),
                    // Messages of any type are sent as requests.
                    Mutant.ofAgents(
                            "TAKES_A_REPLY_AS_A_REQUEST",
                            List.of("SEND-7"),
                            TakesReplyAsRequest::new));

    private ReplyMutants() {}

    private static RuntimeException untyped(RuntimeException failure) {
        boolean isOfAPeer =
                failure instanceof RpcConnectionException
                        || (failure instanceof RpcException e && e.kind() == RpcErrorKind.REFUSED);
        return isOfAPeer
                ? new RpcException(RpcErrorKind.CONNECTION, String.valueOf(failure.getMessage()))
                : failure;
    }

    private static Mutant.OnReply every(int period, int times) {
        var count = new AtomicInteger();
        return (handler, reply) -> {
            int left = count.incrementAndGet() % period == 0 ? times : 1;
            for (int i = 0; i < left; i++) {
                handler.onReply(reply);
            }
        };
    }

    /** Delays a reply briefly, and swaps it with the next. */
    private static final class SwapsReplies implements Mutant.OnReply {
        private static final long MOMENT_MILLIS = 20;

        /** Compared by identity, which a record would not be. */
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
                MutantAgent.after(MOMENT_MILLIS).execute(() -> giveUp(own));
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

    private static final class IgnoresDeadline extends MutantAgent {
        IgnoresDeadline(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, request, 0, handler);
        }
    }

    private static final class TimesOutEarly extends MutantAgent {
        TimesOutEarly(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, request, timeoutNanos / 2, handler);
        }
    }

    private static final class TakesLateReplies extends MutantAgent {
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
                                handler.onFailure(
                                        new RpcTimeoutException("its deadline has passed"));
                            }
                        });
            }
        }
    }

    private static final class OverflowsDeadline extends MutantAgent {
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

    private static final class SwallowsFailures extends MutantAgent {
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

    private static final class ThrowsInSend extends MutantAgent {
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

    private static final class TakesReplyAsRequest extends MutantAgent {
        TakesReplyAsRequest(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message message, long timeoutNanos, ReplyHandler handler) {
            Message request =
                    MessageTypes.isRequest(message.type())
                            ? message
                            : new Message(
                                    MessageTypes.UDF_CALL, message.payload(), message.buffers());
            super.send(to, request, timeoutNanos, handler);
        }
    }
}
