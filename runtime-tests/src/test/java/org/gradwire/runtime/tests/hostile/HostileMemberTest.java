package org.gradwire.runtime.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.profiler.Profiler;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.stream.RemoteStream;
import org.gradwire.runtime.tests.InprocWorkers;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Relays;
import org.gradwire.runtime.tests.functions.Streams;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A member of a group that sends mutated and forged control messages of every type, while a friend
 * calls the same worker: each message gets a reply, the friend's calls succeed, and no state
 * remains. The system property {@code hostile.messages} is their number, {@code hostile.seed}
 * replays a run.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class HostileMemberTest {
    private static final int MESSAGES = Integer.getInteger("hostile.messages", 6_000);
    private static final long SEED = Long.getLong("hostile.seed", System.nanoTime());
    private static final Logger LOG = Logger.getLogger("org.gradwire");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Timeout of a request, which ends a wait such as that for the value of an unknown reference.
     */
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(2).toNanos();

    private static final int MOST_UNDER_WAY = 500;
    private static final Set<String> PAIR = Set.of("friend", "victim");

    /** Metrics of the victim's state for other workers. */
    private static final List<String> TABLES =
            List.of(
                    "num_owner_rrefs",
                    "num_forks",
                    "num_pending_futures",
                    "num_pending_users",
                    "num_open_all_gathers",
                    "num_autograd_contexts",
                    "num_current_backward_passes",
                    "num_cached_replies",
                    "num_cached_reply_bytes");

    private final Random random = new Random(SEED);
    private final Forgeries forgeries = new Forgeries(random);
    private final String meeting = "inproc://" + UUID.randomUUID();

    @BeforeEach
    void logLess() {
        System.out.println("-Dhostile.seed=" + SEED);
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void logAgain() {
        LOG.setLevel(null);
    }

    private Rpc join(int rank, String name) {
        return Rpc.init(
                RpcOptions.builder()
                        .rank(rank)
                        .name(name)
                        .dynamicGroup()
                        .backend(TappedBackend.NAME)
                        .rendezvous(meeting)
                        .rpcTimeout(PATIENCE)
                        .set("gradwire.fail-on-rref-leak", "false") // it leaks
                        .build());
    }

    @Test
    void hostileMemberDoesNotAffectOthers() throws Exception {
        Rpc victim = join(0, "victim");
        Rpc friend = join(1, "friend");
        Map<String, String> before = tables(victim);
        try (var friends = new Friends(victim, friend)) {
            Rpc hostile = join(2, TappedBackend.HOSTILE);
            attack(hostile, victim.self().id());
            hostile.shutdownNow();
            friends.assertUnharmed();
        }
        awaitTables(before, victim);
        try (Rpc late = join(3, "late")) { // later members can join
            assertEquals(49, late.rpcSync("victim", Numbers::square, 7));
        }
        CompletableFuture<Void> first =
                InprocWorkers.onThread(() -> {
                    friend.shutdown(PATIENCE);
                    return null;
                });
        victim.shutdown(PATIENCE);
        first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static Map<String, String> tables(Rpc rpc) {
        Map<String, String> info = new TreeMap<>(rpc.debugInfo());
        assertTrue(info.keySet().containsAll(TABLES), info::toString);
        info.keySet().retainAll(TABLES);
        return info;
    }

    private static void awaitTables(Map<String, String> expected, Rpc rpc) {
        long start = System.nanoTime();
        while (!tables(rpc).equals(expected) && System.nanoTime() - start < PATIENCE.toNanos()) {
            System.gc(); // the values of the friend's handles
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        assertEquals(expected, tables(rpc), "seed " + SEED);
    }

    private void attack(Rpc hostile, int victim) throws Exception {
        saySomethingOfEachKind(hostile);
        TappedBackend.Agent agent = TappedBackend.agent(TappedBackend.HOSTILE);
        List<Message> valid = agent.sent().stream().filter(HostileMemberTest::isHarmless).toList();
        var ends = new Ends();
        for (int i = 0; i < MESSAGES; i++) {
            if (random.nextInt(3) == 0) {
                Message message = Mutations.of(valid.get(random.nextInt(valid.size())), random);
                agent.send(victim, message, TIMEOUT_NANOS, ends.begin(message.type()));
            } else {
                Forgeries.Forgery forgery = forgeries.next();
                ReplyHandler end = ends.begin(forgery.type());
                Worker.of(hostile)
                        .request(
                                victim,
                                forgery.type(),
                                forgery.body(),
                                Duration.ofNanos(TIMEOUT_NANOS))
                        .onDone(done -> {
                            try {
                                done.value();
                                end.onReply(new Message(0, new byte[0], List.of()));
                            } catch (RuntimeException e) {
                                end.onFailure(e);
                            }
                        });
            }
        }
        ends.assertAllEnded();
    }

    /**
     * {@return whether a message is neither a leave nor a save of a reference} After a leave the
     * sender has no effects; saved references outlive it.
     */
    private static boolean isHarmless(Message message) {
        return message.type() != MessageTypes.LEAVE_REQ
                && message.type() != MessageTypes.RREF_SAVE_REQ;
    }

    private static void saySomethingOfEachKind(Rpc rpc) {
        for (Object value : List.of(7, "text", new double[] {1, 2}, List.of(1, "two"))) {
            rpc.rpcSync("victim", Numbers::echo, value);
            rpc.remote("victim", Numbers::echo, value).toHere();
        }
        RRef<String> mine = rpc.rref("mine");
        rpc.runSync("victim", Numbers::keep, mine);
        RRef<Integer> theirs = rpc.remote("victim", Numbers::square, 3);
        try (RpcScope _ = rpc.serialization().allowReferences()) {
            byte[] saved = rpc.serialization().toBytes(theirs);
            rpc.serialization().fromBytes(saved, RRef.class).toHere();
        }
        rpc.withRetry(Relays.PERSISTENT).rpcSync("victim", Numbers::square, 3);
        try (Profiler _ = Profiler.start(rpc)) {
            rpc.rpcSync("victim", Numbers::square, 3);
        }
        trainOnce(rpc);
        rpc.workers("victim").broadcast("text").forEach(RRef::close);
        Call<Iterator<Integer>> numbers = Call.to(Streams::count, 3, "end");
        RemoteStream.ofIterator(rpc, "victim", numbers).forEach(_ -> {});
        RpcFuture<Integer> cancelled = rpc.rpcAsync("victim", Numbers::square, 3);
        cancelled.cancel();
    }

    private static void trainOnce(Rpc rpc) {
        Tensor leaf = Tensor.ones(2, 2).requiresGrad(true);
        for (BackwardMode mode : BackwardMode.values()) {
            try (AutogradContext context = DistAutograd.context(rpc)) {
                Tensor there = rpc.rpcSync("victim", Ops::add, leaf, Tensor.ones(2, 2));
                Tensor product = rpc.rpcSync("victim", Ops::mul, there, leaf);
                context.backward(new BackwardOptions(mode, false), product.sum());
                Tensor gradient = context.gradients().get(leaf); // gradient of (leaf + 1) * leaf
                assertTrue(gradient != null && Tensor.ones(2, 2).mul(3).equal(gradient));
            }
        }
    }

    /** The outcomes of requests, with a limit of those in flight. */
    private static final class Ends {
        private final Semaphore room = new Semaphore(MOST_UNDER_WAY);
        private final Map<String, AtomicInteger> ends = new TreeMap<>(); // guarded by this
        private final List<String> wrong = new ArrayList<>(); // guarded by this

        ReplyHandler begin(int type) throws InterruptedException {
            assertTrue(room.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS), this::toString);
            return new ReplyHandler() {
                @Override
                public void onReply(Message reply) {
                    boolean failed = reply.type() == MessageTypes.EXCEPTION;
                    count(
                            type,
                            failed ? "refused" : "answered",
                            new String(reply.payload(), StandardCharsets.ISO_8859_1));
                }

                @Override
                public void onFailure(RuntimeException failure) {
                    count(type, failure.getClass().getSimpleName(), failure.toString());
                }
            };
        }

        private synchronized void count(int type, String end, String text) {
            ends.computeIfAbsent(MessageTypes.name(type) + " " + end, _ -> new AtomicInteger())
                    .incrementAndGet();
            if (text.contains("NullPointer")
                    || text.contains("ClassCast")
                    || text.contains("OutOfBounds")
                    || text.contains("NumberFormat")
                    || text.contains("AssertionError")) {
                wrong.add(MessageTypes.name(type) + ": " + text);
            }
            room.release();
        }

        void assertAllEnded() throws InterruptedException {
            assertTrue(
                    room.tryAcquire(MOST_UNDER_WAY, PATIENCE.toSeconds(), TimeUnit.SECONDS),
                    this::toString);
            synchronized (this) {
                System.out.println("outcomes of hostile requests: " + ends);
                assertEquals(List.of(), wrong, "seed " + SEED);
                assertTrue(ends.size() > 20, this::toString);
            }
        }

        @Override
        public synchronized String toString() {
            return "ended have %s (seed %d)".formatted(ends, SEED);
        }
    }

    /** Two workers that use each other until they are closed. */
    private static final class Friends implements AutoCloseable {
        private final List<CompletableFuture<Integer>> tasks = new ArrayList<>();
        private volatile boolean stopped;

        Friends(Rpc victim, Rpc friend) {
            tasks.add(repeat(() -> call(friend)));
            tasks.add(repeat(() -> trainOnce(friend)));
            tasks.add(repeat(() -> gather(friend, victim)));
        }

        private CompletableFuture<Integer> repeat(Runnable step) {
            return InprocWorkers.onThread(() -> {
                int steps = 0;
                while (!stopped || steps == 0) {
                    step.run();
                    steps++;
                }
                return steps;
            });
        }

        private static void call(Rpc friend) {
            assertEquals(49, friend.rpcSync("victim", Numbers::square, 7));
            try (RRef<Integer> square = friend.remote("victim", Numbers::square, 8)) {
                assertEquals(64, square.toHere());
            }
            assertEquals(
                    81, friend.withRetry(Relays.PERSISTENT).rpcSync("victim", Numbers::square, 9));
        }

        private static void gather(Rpc friend, Rpc victim) {
            CompletableFuture<Map<String, Integer>> others =
                    InprocWorkers.onThread(() -> victim.allGather(1, PAIR, PATIENCE));
            Map<String, Integer> expected = Map.of("friend", 2, "victim", 1);
            assertEquals(expected, friend.allGather(2, PAIR, PATIENCE));
            assertEquals(expected, others.join());
        }

        void assertUnharmed() {
            stopped = true;
            int steps = 0;
            for (CompletableFuture<Integer> task : tasks) {
                @Nullable Throwable failure = task.handle((_, thrown) -> thrown).join();
                assertNull(failure, () -> "seed " + SEED + ": " + failure);
                assertFalse(task.isCompletedExceptionally());
                steps += task.join();
            }
            System.out.println("steps of friends: " + steps);
        }

        @Override
        public void close() {
            stopped = true;
        }
    }
}
