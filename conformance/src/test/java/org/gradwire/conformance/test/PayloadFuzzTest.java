package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.cases.autograd.AutogradFunctions;
import org.gradwire.conformance.cases.modules.ForwardModule;
import org.gradwire.conformance.cases.modules.ModuleFunctions;
import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.conformance.harness.ThreadWorld;
import org.gradwire.nn.Linear;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteFailure;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Fuzzes the decoders of running workers with malformed payloads and buffers over {@code inproc}.
 * Each request ends, and the workers keep serving. System property {@code
 * conformance.fuzz-messages} sets the number of messages, {@code conformance.fuzz-seed} repeats a
 * run.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class PayloadFuzzTest {
    private static final int MESSAGES = Integer.getInteger("conformance.fuzz-messages", 20_000);
    private static final long SEED = Long.getLong("conformance.fuzz-seed", System.nanoTime());
    private static final Logger LOG = Logger.getLogger("org.gradwire.runtime");
    private static final int MESSAGES_OF_A_WORLD = 5_000;
    private static final int BETWEEN_CALLS = 1_000;
    private static final int MOST_UNDER_WAY = 2_000;
    private static final long PATIENCE_SECONDS = 60;

    /** Timeout of requests that wait forever, for example for a reference that is never created. */
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(1).toNanos();

    /** Values that a call echoes. */
    private static final List<Object> VALUES =
            List.of(
                    7,
                    "text",
                    new byte[20],
                    new double[] {1, 2, 3},
                    List.of(1, "two", 3L, 4.0),
                    Map.of("key", List.of(true, false), "other", Set.of(1, 2)),
                    Tensor.ones(2, 3),
                    Tensor.arange(12).reshape(3, 4).transpose(0, 1),
                    Tensor.ones(3, 3).toSparse(),
                    new Linear(2, 3));

    private final Random random = new Random(SEED);
    private final Mutations mutations = new Mutations(random);

    /** Reduce the log level, since each failure is logged. */
    @BeforeEach
    void logLess() {
        System.out.println("-Dconformance.fuzz-seed=" + SEED);
        LOG.setLevel(Level.SEVERE);
    }

    @AfterEach
    void logAgain() {
        LOG.setLevel(null);
    }

    private static ThreadWorld world() {
        return ThreadWorld.of(
                        BackendUnderTest.of(
                                TappedBackend.NAME, Map.of("gradwire.backend", TappedBackend.NAME)),
                        2)
                .with(
                        "gradwire.fail-on-rref-leak",
                        "false") // a fault may break a reference's release
                .withoutGracefulShutdown();
    }

    /** The work of worker 0 with a number of messages. */
    private interface Body {
        void run(Rank self, int messages) throws Exception;
    }

    /** Run on worker 0 while worker 1 serves, in several groups sequentially. */
    private static void run(Body body) {
        for (int done = 0; done < MESSAGES; done += MESSAGES_OF_A_WORLD) {
            int messages = Math.min(MESSAGES_OF_A_WORLD, MESSAGES - done);
            var end = new CountDownLatch(1);
            world().run(self -> {
                if (self.id() != 0) {
                    assertTrue(end.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "seed " + SEED);
                    return;
                }
                try {
                    body.run(self, messages);
                } finally {
                    end.countDown();
                }
            });
        }
    }

    private static void assertServing(Rank self) {
        assertEquals(49, self.rpc().rpcSync("worker1", CallFunctions::square, 7));
    }

    @Test
    void requestsWithErrorsEndAndDoNoHarm() {
        run((self, messages) -> {
            saySomethingOfEachKind(self.rpc());
            List<Message> sound = requests();
            assertTrue(sound.size() > 20, sound + " are too few messages to mutate");
            var ends = new Ends();
            for (int i = 0; i < messages; i++) {
                ends.await();
                Message request = mutations.of(sound.get(random.nextInt(sound.size())));
                TappedBackend.agent("worker0").send(1, request, TIMEOUT_NANOS, ends);
                if (i % BETWEEN_CALLS == 0) {
                    assertServing(self);
                }
            }
            ends.assertAllEnded(messages);
            assertServing(self);
        });
    }

    /** {@return valid requests, except those that announce a member's shutdown} */
    private static List<Message> requests() {
        return TappedBackend.agent("worker0").sent().stream()
                .filter(message ->
                        message.type() < MessageTypes.GATHER_REQ
                                || message.type() > MessageTypes.JOIN_REQ)
                .toList();
    }

    private static void saySomethingOfEachKind(Rpc rpc) {
        for (Object value : VALUES) {
            rpc.rpcSync("worker1", CallFunctions::echo, value);
            rpc.remote("worker1", CallFunctions::echo, value).toHere();
        }
        RRef<ForwardModule> module = rpc.remote("worker1", ModuleFunctions::construct, 2);
        rpc.rpcSync("worker1", ModuleFunctions::askOwner, module);
        RRef<Tensor> mine = rpc.rref(Tensor.ones(2, 2));
        rpc.rpcSync("worker1", AutogradFunctions::scriptAddToValue, mine, Tensor.ones(2, 2));
        Tensor leaf = Tensor.ones(2, 2).requiresGrad(true);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor there = rpc.rpcSync("worker1", Ops::add, leaf, Tensor.ones(2, 2));
            context.backward(rpc.rpcSync("worker1", AutogradFunctions::add, there, leaf).sum());
        }
    }

    /** Counts how requests ended, and limits the number of pending ones. */
    private static final class Ends implements ReplyHandler {
        private final Semaphore room = new Semaphore(MOST_UNDER_WAY);
        private final Map<String, AtomicInteger> ends = new TreeMap<>(); // guarded by this

        void await() throws InterruptedException {
            assertTrue(room.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS), this::toString);
        }

        @Override
        public void onReply(Message reply) {
            count(MessageTypes.name(reply.type()));
        }

        @Override
        public void onFailure(RuntimeException failure) {
            count(failure.getClass().getSimpleName());
        }

        private synchronized void count(String end) {
            ends.computeIfAbsent(end, _ -> new AtomicInteger()).incrementAndGet();
            room.release();
        }

        void assertAllEnded(int messages) throws InterruptedException {
            boolean haveEnded = room.tryAcquire(MOST_UNDER_WAY, PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertTrue(haveEnded, this::toString);
            synchronized (this) {
                System.out.println("ends of requests with errors: " + ends);
                int all = ends.values().stream().mapToInt(AtomicInteger::get).sum();
                assertEquals(messages, all, this::toString);
                int failed = countFailed();
                assertTrue(failed > messages / 10, this::toString);
                assertTrue(all - failed > messages / 100, this::toString);
            }
        }

        private int countFailed() {
            return ends.entrySet().stream()
                    .filter(end -> end.getKey().toLowerCase(Locale.ROOT).endsWith("exception"))
                    .mapToInt(end -> end.getValue().get())
                    .sum();
        }

        @Override
        public synchronized String toString() {
            return "ended: %s, pending: %d (seed %d)"
                    .formatted(ends, MOST_UNDER_WAY - room.availablePermits(), SEED);
        }
    }

    @Test
    void repliesWithErrorsFailTheirCallsAndDoNoHarm() {
        run((self, messages) -> {
            TappedAgent agent = TappedBackend.agent("worker0");
            agent.sent().clear();
            int failed = 0;
            for (int i = 0; i < messages; i += BETWEEN_CALLS) {
                agent.changeReplies(this::mutated);
                failed += askAndCountFailures(self.rpc());
                agent.changeReplies(reply -> reply);
                assertServing(self);
            }
            assertTrue(
                    failed > messages / 20,
                    failed + " calls failed, which is too few; seed " + SEED);
            assertFalse(failed == messages, "all calls failed, seed " + SEED);
        });
    }

    /** Mutate a reply; replies arrive on several threads. */
    private synchronized Message mutated(Message reply) {
        return mutations.of(reply);
    }

    private int askAndCountFailures(Rpc rpc) {
        List<RpcFuture<Object>> calls = new ArrayList<>();
        for (int i = 0; i < BETWEEN_CALLS; i++) {
            Object value = VALUES.get(i % VALUES.size());
            calls.add(rpc.rpcAsync("worker1", CallFunctions::echo, value));
        }
        int failed = 0;
        for (RpcFuture<Object> call : calls) {
            try {
                var _ = call.join(Duration.ofSeconds(PATIENCE_SECONDS));
            } catch (RuntimeException e) {
                boolean isTyped = e instanceof RpcException || e instanceof RemoteFailure;
                assertTrue(isTyped, () -> "%s, seed %d".formatted(e, SEED));
                failed++;
            }
        }
        return failed;
    }
}
