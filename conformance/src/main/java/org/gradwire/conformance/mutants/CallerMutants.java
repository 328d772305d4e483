package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Mutants that run callbacks on their callers' threads, or swallow interrupts. */
final class CallerMutants {
    private static final int MANY_BYTES = 100_000;

    static final List<Mutant> ALL =
            List.of(
                    // A request to oneself is delivered within send.
                    Mutant.ofAgents(
                            "CALLS_ITSELF_IN_SEND", List.of("THREAD-7"), CallsItselfInSend::new),
                    // Send delivers requests that have arrived.
                    Mutant.ofAgents(
                            "RECEIVES_IN_SEND",
                            List.of("THREAD-7"),
                            agent -> new Receives(agent, true)),
                    // Reply delivers requests that have arrived.
                    Mutant.ofAgents(
                            "RECEIVES_IN_REPLY",
                            List.of("THREAD-7"),
                            agent -> new Receives(agent, false)),
                    // A fast reply completes its call within send.
                    Mutant.ofAgents(
                            "WAITS_A_MOMENT_IN_SEND", List.of("THREAD-7"), WaitsAMoment::new),
                    // Send clears the interrupt flag.
                    Mutant.ofAgents(
                            "SWALLOWS_AN_INTERRUPT_IN_SEND",
                            List.of("THREAD-8"),
                            agent -> new Swallows(agent, true, false)),
                    // Close clears the interrupt flag.
                    Mutant.ofAgents(
                            "SWALLOWS_AN_INTERRUPT_IN_CLOSE",
                            List.of("THREAD-8"),
                            agent -> new Swallows(agent, false, true)),
                    // Reply clears the interrupt flag.
                    Mutant.ofAgents(
                            "SWALLOWS_AN_INTERRUPT_IN_REPLY",
                            List.of("THREAD-8"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onRequest(Incoming request) {
                                            request.with(
                                                            reply -> {
                                                                var _ = Thread.interrupted();
                                                                request.replies().reply(reply);
                                                            })
                                                    .handIn();
                                        }
                                    }),
                    // Disconnect clears the interrupt flag.
                    Mutant.ofAgents(
                            "SWALLOWS_AN_INTERRUPT_IN_DISCONNECT",
                            List.of("THREAD-8"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        public void disconnect(int member) {
                                            var _ = Thread.interrupted();
                                            super.disconnect(member);
                                        }
                                    }),
                    // Connect ignores and swallows an interrupt.
                    Mutant.ofAgents(
                            "SWALLOWS_AN_INTERRUPT_IN_CONNECT",
                            List.of("THREAD-8"),
                            SwallowsInConnect::new),
                    // An interrupted thread fails to send large messages.
                    Mutant.ofAgents(
                            "FAILS_ON_INTERRUPTED_THREADS",
                            List.of("THREAD-8"),
                            FailsInterrupted::new),
                    // A reply by an interrupted thread ends its connection.
                    Mutant.ofAgents(
                            "LOSES_REPLIES_OF_INTERRUPTED_THREADS",
                            List.of("THREAD-8"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onRequest(Incoming request) {
                                            request.with(reply ->
                                                            replyUnlessInterrupted(request, reply))
                                                    .handIn();
                                        }
                                    }));

    private CallerMutants() {}

    private static void replyUnlessInterrupted(Incoming request, Message reply) {
        if (Thread.currentThread().isInterrupted()) {
            reply.release();
        } else {
            request.replies().reply(reply);
        }
    }

    private static final class CallsItselfInSend extends MutantAgent {
        private final AgentContext context;
        private volatile @Nullable AgentListener listener;

        CallsItselfInSend(AgentContext context, RpcAgent sound) {
            super(sound);
            this.context = context;
        }

        @Override
        public void start(AgentListener newListener) {
            listener = newListener;
            super.start(newListener);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            AgentListener known = listener;
            int self = context.self().id();
            if (to == self && known != null && request.buffers().size() == 1) {
                Message copy = unowned(request);
                request.release();
                // The reply takes the usual path.
                known.onRequest(
                        self, copy, reply -> after(1).execute(() -> handler.onReply(reply)));
            } else {
                super.send(to, request, timeoutNanos, handler);
            }
        }
    }

    private static final class Receives extends MutantAgent {
        private final boolean inSend;

        Receives(RpcAgent sound, boolean inSend) {
            super(sound);
            this.inSend = inSend;
        }

        private void receive() {
            while (poll() > 0) {
                // until the queue is empty
            }
            endPolling();
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, request, timeoutNanos, handler);
            if (inSend) {
                receive();
            }
        }

        @Override
        void onRequest(Incoming request) {
            request.with(
                            reply -> {
                                request.replies().reply(reply);
                                if (!inSend) {
                                    receive();
                                }
                            })
                    .handIn();
        }
    }

    private static final class WaitsAMoment extends MutantAgent {
        private static final long MOMENT_MICROS = 300;

        WaitsAMoment(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            var reply = new CompletableFuture<Message>();
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message arrived) {
                            if (!reply.complete(arrived)) {
                                handler.onReply(arrived);
                            }
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            handler.onFailure(failure);
                        }
                    });
            long deadline = System.nanoTime() + MOMENT_MICROS * 1_000;
            while (!reply.isDone() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            if (!reply.cancel(false)) {
                handler.onReply(reply.join());
            }
        }
    }

    private static final class Swallows extends MutantAgent {
        private final boolean inSend;
        private final boolean inClose;

        Swallows(RpcAgent sound, boolean inSend, boolean inClose) {
            super(sound);
            this.inSend = inSend;
            this.inClose = inClose;
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (inSend && request.byteSize() > MANY_BYTES) {
                var _ = Thread.interrupted();
            }
            super.send(to, request, timeoutNanos, handler);
        }

        @Override
        public void close() {
            if (inClose) {
                var _ = Thread.interrupted();
            }
            super.close();
        }
    }

    private static final class SwallowsInConnect extends MutantAgent {
        SwallowsInConnect(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void connect(List<WorkerInfo> members) {
            try {
                super.connect(members);
            } catch (RpcException e) {
                if (Thread.interrupted()) {
                    connect(members);
                } else {
                    throw e;
                }
            }
        }
    }

    private static final class FailsInterrupted extends MutantAgent {
        FailsInterrupted(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (Thread.currentThread().isInterrupted() && request.byteSize() > MANY_BYTES) {
                request.release();
                handler.onFailure(new RpcException(RpcErrorKind.REFUSED, "interrupted"));
            } else {
                super.send(to, request, timeoutNanos, handler);
            }
        }
    }
}
