package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Mutants that fail with the messages of collective operations only. */
final class CollectiveMutants {
    private static final long LARGE = 60_000;
    private static final int WINDOW = 200;
    private static final int NONE = -1;

    static final List<Mutant> ALL =
            List.of(
                    // An agent receives nothing while its own large requests are unanswered.
                    Mutant.ofAgents(
                            "RECEIVES_AFTER_IT_HAS_SENT",
                            List.of("COLL-1"),
                            ReceivesAfterSending::new),
                    // Requests above a window wait until others are answered.
                    Mutant.ofAgents(
                            "HAS_A_WINDOW_OF_UNANSWERED_REQUESTS",
                            List.of("COLL-2"),
                            HasWindow::new),
                    // Only the thread that has received a request can answer it.
                    Mutant.ofAgents(
                            "CONFINES_REPLIES_TO_A_THREAD",
                            List.of("COLL-2"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onRequest(Incoming request) {
                                            confined(request).handIn();
                                        }
                                    }),
                    // Small requests wait until all large ones are answered.
                    Mutant.ofAgents(
                            "SENDS_LARGE_REQUESTS_FIRST", List.of("COLL-3"), PrefersLarge::new),
                    // A received buffer is the memory of its sender.
                    Mutant.of("MAPS_THE_SENDERS_MEMORY", List.of("COLL-4"), MapsMemory::new),
                    // What is sent during the notification of a loss is lost.
                    Mutant.ofAgents(
                            "SENDS_NOTHING_WHILE_A_LOSS_IS_TOLD",
                            List.of("COLL-5"),
                            SendsNothingAtLoss::new));

    private CollectiveMutants() {}

    private static boolean isLarge(Message message) {
        return message.byteSize() > LARGE;
    }

    private static Incoming confined(Incoming request) {
        Thread owner = Thread.currentThread();
        return request.with(reply -> {
            if (Thread.currentThread().equals(owner)) {
                request.replies().reply(reply);
            } else {
                reply.release();
            }
        });
    }

    /** {@return a handler that runs an action after the end of its request} */
    private static ReplyHandler ending(ReplyHandler handler, Runnable action) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                handler.onReply(reply);
                action.run();
            }

            @Override
            public void onFailure(RuntimeException failure) {
                handler.onFailure(failure);
                action.run();
            }
        };
    }

    private static void runAll(Queue<Runnable> waiting) {
        for (Runnable next; (next = waiting.poll()) != null; ) {
            next.run();
        }
    }

    private static final class ReceivesAfterSending extends MutantAgent {
        private final AtomicInteger unanswered = new AtomicInteger();
        private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

        ReceivesAfterSending(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (isLarge(request)) {
                unanswered.incrementAndGet();
                super.send(to, request, timeoutNanos, ending(handler, this::ended));
            } else {
                super.send(to, request, timeoutNanos, handler);
            }
        }

        private void ended() {
            if (unanswered.decrementAndGet() == 0) {
                runAll(waiting);
            }
        }

        @Override
        void onRequest(Incoming request) {
            if (unanswered.get() > 0) {
                waiting.add(request::handIn);
            } else {
                request.handIn();
            }
        }
    }

    private static final class HasWindow extends MutantAgent {
        private final AtomicInteger unanswered = new AtomicInteger();
        private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

        HasWindow(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            Runnable deliver =
                    request.with(reply -> {
                        request.replies().reply(reply);
                        answered();
                    })
                            ::handIn;
            if (unanswered.incrementAndGet() > WINDOW) {
                waiting.add(deliver);
            } else {
                deliver.run();
            }
        }

        private void answered() {
            unanswered.decrementAndGet();
            Runnable next = waiting.poll();
            if (next != null) {
                next.run();
            }
        }
    }

    private static final class PrefersLarge extends MutantAgent {
        private final AtomicInteger underWay = new AtomicInteger();
        private final Queue<Runnable> small = new ConcurrentLinkedQueue<>();

        PrefersLarge(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (isLarge(request)) {
                underWay.incrementAndGet();
                super.send(to, request, timeoutNanos, ending(handler, this::ended));
            } else if (underWay.get() > 0) {
                small.add(() -> super.send(to, request, timeoutNanos, handler));
            } else {
                super.send(to, request, timeoutNanos, handler);
            }
        }

        private void ended() {
            if (underWay.decrementAndGet() == 0) {
                runAll(small);
            }
        }
    }

    /** Agents of one JVM that pass the senders' buffers on, by a number behind the payload. */
    private static final class MapsMemory extends MutantProvider {
        private final AtomicLong numbers = new AtomicLong();
        private final Map<Long, Message> sent = new ConcurrentHashMap<>();

        MapsMemory(BackendProvider sound) {
            super(sound);
        }

        @Override
        public RpcAgent create(AgentContext context) {
            return new MutantAgent(super.create(context)) {
                @Override
                public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
                    super.send(to, marked(request), timeoutNanos, handler);
                }

                @Override
                void onRequest(Incoming request) {
                    request.with(mapped(request.message())).handIn();
                }
            };
        }

        private Message marked(Message request) {
            long number = numbers.incrementAndGet();
            sent.put(number, request);
            byte[] payload = request.payload();
            byte[] marked = Arrays.copyOf(payload, payload.length + Long.BYTES);
            ByteBuffer.wrap(marked).putLong(payload.length, number);
            return new Message(request.type(), marked, request.buffers(), request::release);
        }

        private Message mapped(Message arrived) {
            byte[] marked = arrived.payload();
            int length = marked.length - Long.BYTES;
            Message own = sent.remove(ByteBuffer.wrap(marked).getLong(length));
            return new Message(
                    arrived.type(),
                    Arrays.copyOf(marked, length),
                    own != null && isLarge(own) ? own.buffers() : arrived.buffers());
        }
    }

    private static final class SendsNothingAtLoss extends MutantAgent {
        private final ThreadLocal<Integer> lost = ThreadLocal.withInitial(() -> NONE);

        SendsNothingAtLoss(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            lost.set(peer);
            try {
                listener.onPeerLost(peer, reason);
            } finally {
                lost.remove();
            }
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            int loss = lost.get();
            if (loss == NONE || loss == to) {
                super.send(to, request, timeoutNanos, handler);
            } else {
                request.release();
            }
        }
    }
}
