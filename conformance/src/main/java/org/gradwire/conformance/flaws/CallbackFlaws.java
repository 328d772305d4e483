package org.gradwire.conformance.flaws;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Agents that mix up senders, orders, threads and queues. */
final class CallbackFlaws {
    static final List<Flaw> ALL =
            List.of(
                    // Every request seems to come from worker 0.
                    Flaw.ofAgents("NAMES_THE_WRONG_SENDER", List.of("SEND-4"), WrongSender::new),
                    // Two threads that send at a time are one too many.
                    Flaw.ofAgents("IS_FOR_ONE_THREAD", List.of("SEND-8"), ForOneThread::new),
                    // One request in ten is overtaken.
                    Flaw.ofAgents("REORDERS_REQUESTS", List.of("ORDER-1"), Reorders::new),
                    // The first exception of a listener is the last request.
                    Flaw.ofAgents(
                            "DIES_OF_AN_EXCEPTION",
                            List.of("THREAD-1"),
                            sound -> new DiesOf(sound, RuntimeException.class)),
                    // So is the first error, though exceptions are survived.
                    Flaw.ofAgents(
                            "DIES_OF_AN_ERROR",
                            List.of("THREAD-1"),
                            sound -> new DiesOf(sound, Error.class)),
                    // An exception of a handler silences all handlers.
                    Flaw.ofAgents("DIES_OF_A_HANDLER", List.of("THREAD-1"), DiesOfHandler::new),
                    // What is sent from a callback gets lost.
                    Flaw.ofAgents("LOSES_NESTED_SENDS", List.of("THREAD-2"), LosesNested::new),
                    // The poller waits until a request is answered before it takes the next.
                    Flaw.ofAgents(
                            "BLOCKS_THE_POLLER", List.of("THREAD-3", "SEND-3"), BlocksPoller::new),
                    // Send returns when the reply is there.
                    Flaw.ofAgents("WAITS_IN_SEND", List.of("THREAD-4"), WaitsInSend::new),
                    // Who has lent a thread must lend it forever.
                    Flaw.ofAgents("NEVER_POLLS_AGAIN", List.of("THREAD-5"), NeverPollsAgain::new),
                    // What is refused is queued without an end.
                    Flaw.ofAgents("QUEUES_WITHOUT_END", List.of("FLOW-1"), Queues::new));

    private CallbackFlaws() {}

    private static final class WrongSender extends FlawedAgent {
        WrongSender(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            request.from(0).handIn();
        }
    }

    private static final class ForOneThread extends FlawedAgent {
        private static final long WINDOW_NANOS = 50_000;
        private final AtomicBoolean isBusy = new AtomicBoolean();

        ForOneThread(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (isBusy.compareAndSet(false, true)) {
                LockSupport.parkNanos(WINDOW_NANOS); // also on one core, others come meanwhile
                super.send(to, request, timeoutNanos, handler);
                isBusy.set(false);
            }
        }
    }

    private static final class Reorders extends FlawedAgent {
        private final AtomicInteger count = new AtomicInteger();

        Reorders(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            if (count.incrementAndGet() % 10 == 0) {
                after(20).execute(request::handIn);
            } else {
                request.handIn();
            }
        }
    }

    private static final class DiesOf extends FlawedAgent {
        private final Class<? extends Throwable> deadly;
        private volatile boolean isDead;

        DiesOf(RpcAgent sound, Class<? extends Throwable> deadly) {
            super(sound);
            this.deadly = deadly;
        }

        @Override
        void onRequest(Incoming request) {
            if (isDead) {
                return;
            }
            try {
                request.handIn();
            } catch (RuntimeException | Error e) {
                isDead = deadly.isInstance(e);
            }
        }
    }

    private static final class DiesOfHandler extends FlawedAgent {
        private volatile boolean isDead;

        DiesOfHandler(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onReply(ReplyHandler handler, Message reply) {
            if (isDead) {
                return;
            }
            try {
                handler.onReply(reply);
            } catch (RuntimeException e) {
                isDead = true;
            }
        }
    }

    private static final class LosesNested extends FlawedAgent {
        private final ThreadLocal<Boolean> isInCallback = ThreadLocal.withInitial(() -> false);

        LosesNested(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            isInCallback.set(true);
            try {
                request.handIn();
            } finally {
                isInCallback.remove();
            }
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (!isInCallback.get()) {
                super.send(to, request, timeoutNanos, handler);
            }
        }
    }

    private static final class BlocksPoller extends FlawedAgent {
        private final Waiting waiting = new Waiting();

        BlocksPoller(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            var answered = new CountDownLatch(1);
            request.with(
                            reply -> {
                                request.replies().reply(reply);
                                answered.countDown();
                            })
                    .handIn();
            waiting.awaitFor(answered, 3);
        }
    }

    private static final class WaitsInSend extends FlawedAgent {
        private final Waiting waiting = new Waiting();

        WaitsInSend(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            var ended = new CountDownLatch(1);
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message reply) {
                            handler.onReply(reply);
                            ended.countDown();
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            handler.onFailure(failure);
                            ended.countDown();
                        }
                    });
            waiting.awaitFor(ended, 5);
        }
    }

    /** Waits too long, but not forever: a few times, so that a run against all rules ends. */
    private static final class Waiting {
        private final AtomicInteger times = new AtomicInteger(2);

        void awaitFor(CountDownLatch latch, long seconds) {
            if (times.get() <= 0) {
                return;
            }
            try {
                if (!latch.await(1, TimeUnit.SECONDS)) {
                    times.decrementAndGet();
                    var _ = latch.await(seconds - 1, TimeUnit.SECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class NeverPollsAgain extends FlawedAgent {
        private final ConcurrentLinkedQueue<Incoming> waiting = new ConcurrentLinkedQueue<>();
        private volatile boolean isLent;

        NeverPollsAgain(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            if (isLent) {
                waiting.add(request);
            } else {
                request.handIn();
            }
        }

        @Override
        public int poll() {
            isLent = true;
            int done = super.poll();
            for (Incoming next; (next = waiting.poll()) != null; done++) {
                next.handIn();
            }
            return done;
        }
    }

    private static final class Queues extends FlawedAgent {
        private static final long RETRY_MILLIS = 20;

        Queues(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            Message kept = unowned(request);
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    failing(
                            handler,
                            failure -> {
                                if (failure instanceof RpcException e
                                        && e.kind() == RpcErrorKind.REFUSED) {
                                    after(RETRY_MILLIS)
                                            .execute(() -> send(to, kept, timeoutNanos, handler));
                                } else {
                                    handler.onFailure(failure);
                                }
                            }));
        }
    }
}
