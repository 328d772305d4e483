package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Mutants with faults in loss detection and close. */
final class LifeMutants {
    static final List<Mutant> ALL =
            List.of(
                    // The loss of a peer is not reported.
                    Mutant.ofAgents(
                            "HIDES_A_LOST_PEER", List.of("FAIL-1", "CLOSE-4"), HidesLost::new),
                    // The loss of a peer is reported twice.
                    Mutant.ofAgents("TELLS_A_LOSS_TWICE", List.of("FAIL-1"), TellsTwice::new),
                    // A reply to a lost peer throws.
                    Mutant.ofAgents(
                            "THROWS_AT_A_LATE_REPLY", List.of("FAIL-3"), ThrowsAtLateReply::new),
                    // Close blocks forever.
                    Mutant.ofAgents("HANGS_IN_CLOSE", List.of("CLOSE-1"), HangsInClose::new),
                    // A second close throws.
                    Mutant.ofAgents("CLOSES_ONCE_ONLY", List.of("CLOSE-1"), ClosesOnceOnly::new),
                    // Close takes effect late.
                    Mutant.ofAgents(
                            "ACCEPTS_AFTER_CLOSE",
                            List.of("CLOSE-2", "CLOSE-1"),
                            AcceptsAfterClose::new),
                    // A request is delivered after close.
                    Mutant.ofAgents(
                            "HANDS_IN_AFTER_CLOSE", List.of("CLOSE-2"), HandsInAfterClose::new),
                    // A thread outlives its agent.
                    Mutant.ofAgents("LEAKS_A_THREAD", List.of("CLOSE-3"), LeaksThread::new),
                    // Requests that are in flight at close never end.
                    Mutant.ofAgents(
                            "FORGETS_CALLS_AT_CLOSE",
                            List.of("CLOSE-4", "CLOSE-1"),
                            ForgetsCalls::new));

    private LifeMutants() {}

    private static final class HidesLost extends MutantAgent {
        HidesLost(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {}

        @Override
        void onFailure(ReplyHandler handler, RuntimeException failure) {
            if (!(failure instanceof RpcConnectionException)) {
                super.onFailure(handler, failure);
            }
        }
    }

    private static final class TellsTwice extends MutantAgent {
        TellsTwice(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            listener.onPeerLost(peer, reason);
            listener.onPeerLost(peer, reason);
        }
    }

    private static final class ThrowsAtLateReply extends MutantAgent {
        private final Set<Integer> lost = ConcurrentHashMap.newKeySet();

        ThrowsAtLateReply(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            lost.add(peer);
            listener.onPeerLost(peer, reason);
        }

        @Override
        void onRequest(Incoming request) {
            request.with(
                            reply -> {
                                if (lost.contains(request.from())) {
                                    throw new IllegalStateException("no call waits for this reply");
                                }
                                request.replies().reply(reply);
                            })
                    .handIn();
        }
    }

    private static final class HangsInClose extends MutantAgent {
        HangsInClose(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void close() {
            super.close();
            hang(30);
        }
    }

    private static final class ClosesOnceOnly extends MutantAgent {
        private final AtomicBoolean isClosed = new AtomicBoolean();

        ClosesOnceOnly(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void close() {
            if (!isClosed.compareAndSet(false, true)) {
                throw new IllegalStateException("already closed");
            }
            super.close();
        }
    }

    private static final class AcceptsAfterClose extends MutantAgent {
        private static final long LATER_MILLIS = 4_000;

        AcceptsAfterClose(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void close() {
            after(LATER_MILLIS).execute(super::close);
        }
    }

    private static final class HandsInAfterClose extends MutantAgent {
        private volatile @Nullable Incoming last;

        HandsInAfterClose(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            last = request;
            request.handIn();
        }

        @Override
        public void close() {
            super.close();
            Incoming known = last;
            if (known != null) {
                known.handIn();
            }
        }
    }

    private static final class LeaksThread extends MutantAgent {
        LeaksThread(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void start(AgentListener listener) {
            Thread.ofPlatform().daemon().name("leaked").start(() -> hang(30));
            super.start(listener);
        }
    }

    private static final class ForgetsCalls extends MutantAgent {
        private volatile boolean isClosed;

        ForgetsCalls(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (!isClosed) {
                super.send(to, request, timeoutNanos, handler);
            } else {
                handler.onFailure(new RpcConnectionException("this agent is closed"));
            }
        }

        @Override
        void onFailure(ReplyHandler handler, RuntimeException failure) {
            if (!isClosed) {
                super.onFailure(handler, failure);
            }
        }

        @Override
        public void close() {
            isClosed = true;
            super.close();
        }
    }
}
