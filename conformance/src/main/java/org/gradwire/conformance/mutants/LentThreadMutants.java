package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Mutants that fail while a thread polls or lingers. */
final class LentThreadMutants {
    private static final long LATE_MILLIS = 200;

    static final List<Mutant> ALL =
            List.of(
                    // While a thread polls, the replies for others wait until it stops.
                    Mutant.ofAgents(
                            "KEEPS_REPLIES_FOR_THEIR_THREAD",
                            List.of("COLL-6"),
                            KeepsForThread::new),
                    // What a lent thread sends waits for its next poll.
                    Mutant.ofAgents("SENDS_IN_POLL_ONLY", List.of("COLL-7"), SendsInPoll::new),
                    // The loss of a peer is reported when no thread is lent.
                    Mutant.ofAgents(
                            "TELLS_A_LOSS_AFTER_ENDPOLLING", List.of("COLL-8"), TellsLate::new),
                    // Patient requests wait too long for the thread that lingers.
                    Mutant.ofAgents(
                            "IS_TOO_PATIENT",
                            List.of("COLL-9"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onRequest(Incoming request) {
                                            if (MessageTypes.isPatient(request.message().type())) {
                                                after(LATE_MILLIS).execute(request::handIn);
                                            } else {
                                                request.handIn();
                                            }
                                        }
                                    }));

    private LentThreadMutants() {}

    /** Postpones actions while a thread is lent. */
    private abstract static class Postpones extends MutantAgent {
        private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
        private volatile @Nullable Thread lent;

        Postpones(RpcAgent sound) {
            super(sound);
        }

        /** {@return the thread that has polled last, until {@link #endPolling}} */
        final @Nullable Thread lent() {
            return lent;
        }

        final void postpone(Runnable action) {
            waiting.add(action);
        }

        final void runPostponed() {
            for (Runnable next; (next = waiting.poll()) != null; ) {
                next.run();
            }
        }

        @Override
        public int poll() {
            lent = Thread.currentThread();
            return super.poll();
        }

        @Override
        public void endPolling() {
            lent = null;
            runPostponed();
            super.endPolling();
        }
    }

    private static final class KeepsForThread extends Postpones {
        KeepsForThread(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            Thread sender = Thread.currentThread();
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message reply) {
                            Thread polling = lent();
                            if (polling == null || polling.equals(sender)) {
                                handler.onReply(reply);
                            } else {
                                postpone(() -> handler.onReply(reply));
                            }
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            handler.onFailure(failure);
                        }
                    });
        }
    }

    private static final class SendsInPoll extends Postpones {
        SendsInPoll(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (lent() == null) {
                super.send(to, request, timeoutNanos, handler);
            } else {
                postpone(() -> super.send(to, request, timeoutNanos, handler));
            }
        }

        @Override
        public int poll() {
            runPostponed();
            return super.poll();
        }
    }

    private static final class TellsLate extends Postpones {
        TellsLate(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            if (lent() == null) {
                super.onPeerLost(listener, peer, reason);
            } else {
                postpone(() -> super.onPeerLost(listener, peer, reason));
            }
        }
    }
}
