package org.gradwire.conformance.mutants;

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

/** Mutants with faults in senders, order, threads and queues. */
final class CallbackMutants {
    static final List<Mutant> ALL =
            List.of(
                    // Every request names worker 0 as its sender.
                    Mutant.ofAgents("NAMES_THE_WRONG_SENDER", List.of("SEND-4"), WrongSender::new),
                    // Concurrent sends fail.
                    Mutant.ofAgents("IS_FOR_ONE_THREAD", List.of("SEND-8"), ForOneThread::new),
                    // One request in ten is overtaken.
                    Mutant.ofAgents("REORDERS_REQUESTS", List.of("ORDER-1"), Reorders::new),
                    // The agent stops after a listener's first exception.
                    Mutant.ofAgents(
                            "DIES_OF_AN_EXCEPTION",
                            List.of("THREAD-1"),
                            sound -> new DiesOf(sound, RuntimeException.class)),
                    // The agent stops after a listener's first error, but survives exceptions.
                    Mutant.ofAgents(
                            "DIES_OF_AN_ERROR",
                            List.of("THREAD-1"),
                            sound -> new DiesOf(sound, Error.class)),
                    // A handler's exception stops all later handlers.
                    Mutant.ofAgents("DIES_OF_A_HANDLER", List.of("THREAD-1"), DiesOfHandler::new),
                    // Requests sent from a callback are lost.
                    Mutant.ofAgents("LOSES_NESTED_SENDS", List.of("THREAD-2"), LosesNested::new),
                    // The poller waits for the reply to a request before it delivers the next.
                    Mutant.ofAgents(
                            "BLOCKS_THE_POLLER", List.of("THREAD-3", "SEND-3"), BlocksPoller::new),
                    // Send blocks until the reply has arrived.
                    Mutant.ofAgents("WAITS_IN_SEND", List.of("THREAD-4"), WaitsInSend::new),
                    // Without lent threads the agent never polls again.
                    Mutant.ofAgents("NEVER_POLLS_AGAIN", List.of("THREAD-5"), NeverPollsAgain::new),
                    // After a thread has lingered the agent does not poll until the next one does.
                    Mutant.ofAgents(
                            "POLLS_AGAIN_ONLY_AFTER_ENDPOLLING",
                            List.of("THREAD-9"),
                            NeverPollsAfterLingering::new),
                    // The agent queues without a bound what it should refuse.
                    Mutant.ofAgents("QUEUES_WITHOUT_END", List.of("FLOW-1"), Queues::new));

    private CallbackMutants() {}

    private static final class WrongSender extends MutantAgent {
        WrongSender(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            request.from(0).handIn();
        }
    }

    private static final class ForOneThread extends MutantAgent {
        private static final long WINDOW_NANOS = 50_000;
        private final AtomicBoolean isBusy = new AtomicBoolean();

        ForOneThread(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (isBusy.compareAndSet(false, true)) {
                LockSupport.parkNanos(
                        WINDOW_NANOS); // so that other threads enter meanwhile, even on one core
                super.send(to, request, timeoutNanos, handler);
                isBusy.set(false);
            }
        }
    }

    private static final class Reorders extends MutantAgent {
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

    private static final class DiesOf extends MutantAgent {
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

    private static final class DiesOfHandler extends MutantAgent {
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

    private static final class LosesNested extends MutantAgent {
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

    private static final class BlocksPoller extends MutantAgent {
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

    private static final class WaitsInSend extends MutantAgent {
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

    /** Blocks too long, but only a few times, so that the full matrix ends. */
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

    private static class NeverPollsAgain extends MutantAgent {
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
            return super.poll() + handIn();
        }

        private int handIn() {
            int done = 0;
            for (Incoming next; (next = waiting.poll()) != null; done++) {
                next.handIn();
            }
            return done;
        }

        /** Receive again without lent threads. */
        final void comeBack() {
            isLent = false;
            handIn();
        }
    }

    private static final class NeverPollsAfterLingering extends NeverPollsAgain {
        NeverPollsAfterLingering(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void endPolling() {
            super.endPolling();
            comeBack();
        }
    }

    private static final class Queues extends MutantAgent {
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
