package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Mutants that report a loss in the wrong order, or with the wrong exception. */
final class LossMutants {
    private static final long SOON_MILLIS = 30;
    private static final long LATER_MILLIS = 3_000;

    static final List<Mutant> ALL =
            List.of(
                    // The loss is reported before the calls to the lost peer fail.
                    Mutant.ofAgents(
                            "TELLS_A_LOSS_BEFORE_IT_FAILS_CALLS",
                            List.of("FAIL-6"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onFailure(
                                                ReplyHandler handler, RuntimeException failure) {
                                            if (failure instanceof RpcConnectionException) {
                                                after(SOON_MILLIS)
                                                        .execute(() -> handler.onFailure(failure));
                                            } else {
                                                handler.onFailure(failure);
                                            }
                                        }
                                    }),
                    // Calls to the lost peer are accepted while its loss is being reported.
                    Mutant.ofAgents(
                            "TAKES_CALLS_WHILE_A_LOSS_IS_TOLD", List.of("FAIL-6"), TakesCalls::new),
                    // Requests wait in a queue that the report of a loss overtakes.
                    Mutant.ofAgents(
                            "HANDS_IN_REQUESTS_OF_THE_LOST",
                            List.of("FAIL-6"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onRequest(Incoming request) {
                                            boolean waits = request.message().payload().length == 4;
                                            if (waits) {
                                                after(SOON_MILLIS).execute(request::handIn);
                                            } else {
                                                request.handIn();
                                            }
                                        }
                                    }),
                    // The exception has the right kind but the wrong class.
                    Mutant.ofAgents(
                            "FAILS_WITH_THE_KIND_ONLY",
                            List.of("FAIL-1", "GROUP-1", "FAIL-6"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onFailure(
                                                ReplyHandler handler, RuntimeException failure) {
                                            handler.onFailure(plain(failure));
                                        }
                                    }),
                    // The same for unknown ids only.
                    Mutant.ofAgents(
                            "FAILS_CALLS_TO_NOBODY_WITH_THE_KIND_ONLY",
                            List.of("FAIL-2"),
                            NobodyByKind::new));

    private LossMutants() {}

    private static RuntimeException plain(RuntimeException failure) {
        return failure instanceof RpcConnectionException
                ? new RpcException(RpcErrorKind.CONNECTION, String.valueOf(failure.getMessage()))
                : failure;
    }

    private static final class TakesCalls extends MutantAgent {
        private final AtomicBoolean isTelling = new AtomicBoolean();

        TakesCalls(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            isTelling.set(true);
            try {
                listener.onPeerLost(peer, reason);
            } finally {
                isTelling.set(false);
            }
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (isTelling.get()) {
                Message kept = unowned(request);
                request.release();
                after(LATER_MILLIS).execute(() -> super.send(to, kept, timeoutNanos, handler));
            } else {
                super.send(to, request, timeoutNanos, handler);
            }
        }
    }

    private static final class NobodyByKind extends MutantAgent {
        NobodyByKind(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (to == 77) {
                request.release();
                handler.onFailure(plain(new RpcConnectionException("there is no worker 77")));
            } else {
                super.send(to, request, timeoutNanos, handler);
            }
        }
    }
}
