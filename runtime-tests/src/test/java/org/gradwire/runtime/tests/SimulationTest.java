package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.tests.functions.Counter;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Relays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Groups in simulated time. The number of workers and the seed can be set: {@code
 * -Dsimulation.workers=1000 -Dsimulation.seed=7}.
 */
@Timeout(300)
class SimulationTest {
    private static final int WORKERS = Integer.getInteger("simulation.workers", 100);
    private static final int SEED = Integer.getInteger("simulation.seed", 2026);
    private static final int ROUNDS = 10;

    /** Metrics that must be zero at the end. */
    private static final List<String> REMAINS =
            List.of(
                    "num_owner_rrefs",
                    "num_forks",
                    "num_pending_users",
                    "num_pending_futures",
                    "num_autograd_contexts",
                    "num_current_backward_passes",
                    "num_retried_calls",
                    "agent.client_active_calls",
                    "agent.server_active_calls",
                    "inproc.pending_calls");

    private static Map<String, String> faults(int seed) {
        return Map.of(
                "gradwire.backend", "faulty",
                "gradwire.faulty.backend", "inproc",
                "gradwire.faulty.seed", Integer.toString(seed),
                "gradwire.faulty.num-fail-sends", "1",
                "gradwire.faulty.messages-to-delay", "UDF_CALL:0s..50ms,RREF_USER_DELETE:0s..1s",
                "gradwire.faulty.requests-to-lose", "*:0.02",
                "gradwire.faulty.replies-to-lose", "*:0.02",
                "gradwire.faulty.requests-to-repeat", "*:0.02",
                "gradwire.faulty.requests-to-reorder", "*:0.02");
    }

    /** A random program of the group, with the outcomes of its calls. */
    private static final class Program {
        private final SimulatedGroup group;
        private final Random random;
        private final Map<String, Integer> ends = new TreeMap<>();
        private final List<RpcFuture<?>> calls = new ArrayList<>();

        Program(SimulatedGroup group, int seed) {
            this.group = group;
            this.random = new Random(seed);
        }

        void run() {
            for (int round = 0; round < ROUNDS; round++) {
                for (int rank = 0; rank < group.size(); rank++) {
                    act(group.get(rank));
                }
                group.pass(Duration.ofMillis(random.nextInt(1, 20)));
            }
            calls.forEach(this::count);
            group.pass(Duration.ofMinutes(20)); // time for the retries of control messages
        }

        private String any() {
            return "worker" + random.nextInt(group.size());
        }

        private void act(Rpc rpc) {
            calls.add(
                    switch (random.nextInt(5)) {
                        case 0 -> rpc.rpcAsync(any(), Numbers::square, random.nextInt(100));
                        case 1 -> rpc.rpcAsync(any(), Numbers::countDown, random.nextInt(4));
                        case 2 -> passOn(rpc);
                        case 3 -> {
                            try (RRef<Counter> made = rpc.remote(any(), Counter::new, 0)) {
                                yield made.withRetry(Relays.PERSISTENT).rpcAsync(Counter::get);
                            }
                        }
                        default -> rpc.rpcAsync(any(), Relays::descend, any(), any());
                    });
        }

        private RpcFuture<?> passOn(Rpc rpc) {
            RRef<Counter> made = rpc.withRetry(Relays.PERSISTENT).remote(any(), Counter::new, 1);
            return rpc.withRetry(Relays.PERSISTENT)
                    .rpcAsync(any(), Relays::pass, made, List.of(any(), any()))
                    .whenDone(made::close);
        }

        private void count(RpcFuture<?> call) {
            String end = "answered";
            try {
                call.join();
            } catch (RpcTimeoutException _) {
                end = "timed out";
            } catch (RpcException e) {
                end =
                        "failed: "
                                + String.valueOf(e.getMessage())
                                        .lines()
                                        .findFirst()
                                        .orElse("")
                                        .replaceAll("\\d+", "N");
            }
            ends.merge(end, 1, Integer::sum);
        }
    }

    private static String run(int workers, int seed) throws Exception {
        return run(workers, seed, faults(seed));
    }

    private static String run(int workers, int seed, Map<String, String> settings)
            throws Exception {
        try (var group = new SimulatedGroup(workers, seed, settings)) {
            System.gc();
            System.out.println(
                    +(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory())
                                    / 1024
                                    / workers
                            + " KiB a worker, threads "
                            + Thread.activeCount()
                            + " "
                            + java.lang.management.ManagementFactory.getThreadMXBean()
                                    .getThreadCount());
            var program = new Program(group, seed);
            program.run();
            Map<String, String> remains = new TreeMap<>();
            for (int rank = 0; rank < workers; rank++) {
                Map<String, String> info = group.get(rank).debugInfo();
                for (String key : REMAINS) {
                    if (!"0".equals(info.get(key))) {
                        remains.put("worker" + rank + " " + key, info.get(key));
                    }
                }
            }
            System.out.println("seed " + seed + ": " + program.ends + ", " + group.trace());
            assertEquals(Map.of(), remains, "seed " + seed);
            assertTrue(program.ends.get("answered") > workers * ROUNDS / 2, program.ends::toString);
            return program.ends + " " + group.trace();
        }
    }

    @Test
    void delayedLostRepeatedAndReorderedMessagesLeaveNoState() throws Exception {
        long begun = System.nanoTime();
        run(WORKERS, SEED);
        System.out.printf("%d workers: %.1f s%n", WORKERS, (System.nanoTime() - begun) / 1e9);
    }

    @Test
    void sameSeedRepeatsARunAndAnotherDoesNot() throws Exception {
        String first = run(20, SEED);
        assertEquals(first, run(20, SEED), "seed " + SEED);
        assertNotEquals(first, run(20, SEED + 1));
    }

    @Test
    void everyCorruptedCallEnds() throws Exception {
        Map<String, String> corruption =
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "inproc",
                        "gradwire.faulty.messages-to-delay", "",
                        "gradwire.faulty.requests-to-corrupt", "SCRIPT_CALL:0.5,UDF_CALL:0.5",
                        "gradwire.faulty.replies-to-corrupt", "SCRIPT_CALL:0.5,UDF_CALL:0.5");
        int ended = 0;
        int failed = 0;
        try (var group = new SimulatedGroup(2, SEED, corruption)) {
            for (int i = 0; i < 2000; i++) {
                RpcFuture<Object> call =
                        group.get(0).rpcAsync("worker1", Numbers::echo, List.of(i, "text"));
                try {
                    call.join();
                } catch (RuntimeException e) {
                    failed += call.isDone() ? 1 : 0;
                }
                ended += call.isDone() ? 1 : 0;
            }
            assertEquals("0", group.get(0).debugInfo().get("inproc.pending_calls"));
            assertEquals("0", group.get(1).debugInfo().get("agent.server_active_calls"));
        }
        assertEquals(2000, ended, "seed " + SEED);
        assertTrue(failed > 200, failed + " failed, seed " + SEED);
    }

    @Test
    void networkPartitionLastsForItsTime() throws Exception {
        Map<String, String> cut =
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "inproc",
                        "gradwire.faulty.messages-to-delay", "",
                        "gradwire.faulty.cuts", "0-1@2s+3s");
        try (var group = new SimulatedGroup(3, SEED, cut)) {
            Rpc rpc = group.get(0);
            assertEquals(4, rpc.rpcSync("worker1", Numbers::square, 2));
            group.pass(Duration.ofSeconds(2));
            var patient = rpc.withTimeout(Duration.ofSeconds(1));
            assertThrows(
                    RpcTimeoutException.class,
                    () -> patient.rpcSync("worker1", Numbers::square, 3));
            assertEquals(9, rpc.rpcSync("worker2", Numbers::square, 3));
            group.pass(Duration.ofSeconds(3));
            assertEquals(16, rpc.rpcSync("worker1", Numbers::square, 4));
        }
    }

    @Test
    void defaultRetryPolicySendsACallWithoutAReplyAgain() throws Exception {
        recoversAfterOneAttempt("", rpc -> rpc.withRetry(RetryPolicy.DEFAULT));
    }

    @Test
    void retriesOfTheConfigurationHaveTheDefaultsOfThePolicy() throws Exception {
        recoversAfterOneAttempt("*.Numbers.square=5", rpc -> rpc);
    }

    /** Lose the first attempt of a call, and assert the times of the default policy. */
    private static void recoversAfterOneAttempt(String retries, Function<Rpc, RpcCalls> calls)
            throws Exception {
        Map<String, String> settings =
                new TreeMap<>(
                        Map.of(
                                "gradwire.backend", "faulty",
                                "gradwire.faulty.backend", "inproc",
                                "gradwire.faulty.messages-to-delay", "",
                                "gradwire.faulty.cuts", "0-1@2s+3s"));
        if (!retries.isEmpty()) {
            settings.put("gradwire.retries", retries);
        }
        try (var group = new SimulatedGroup(2, SEED, settings)) {
            Rpc rpc = group.get(0);
            group.pass(Duration.ofSeconds(2));
            assertEquals(9, calls.apply(rpc).rpcSync("worker1", Numbers::square, 3));
            assertEquals("1", rpc.debugInfo().get("num_retries"));
            long millis =
                    Long.parseLong(
                            Objects.requireNonNull(rpc.debugInfo().get("simulation.time_ms")));
            assertTrue(millis >= 12_100 && millis < 13_000, millis + " ms");
        }
    }

    @Test
    void aDayIsSimulatedInAMoment() throws Exception {
        try (var group = new SimulatedGroup(2, SEED, Map.of())) {
            long begun = System.nanoTime();
            group.pass(Duration.ofDays(1));
            assertEquals("86400000", group.get(1).debugInfo().get("simulation.time_ms"));
            assertTrue(System.nanoTime() - begun < Duration.ofMinutes(1).toNanos());
            assertEquals(49, group.get(0).rpcSync("worker1", Numbers::square, 7));
        }
    }

    @Test
    void waitForAnImpossibleEventFails() throws Exception {
        try (var group = new SimulatedGroup(2, SEED, Map.of())) {
            var failure = assertThrows(RpcException.class, () -> group.get(0).promise().join());
            assertTrue(
                    failure.getMessage()
                            .startsWith(
                                    "the simulation with seed "
                                            + SEED
                                            + ", 0 ms after its beginning, is at rest"),
                    failure::getMessage);
        }
    }

    @Test
    void shutdownWaitsForAllCalls() throws Exception {
        try (var group = new SimulatedGroup(3, SEED, Map.of())) {
            RpcFuture<Integer> call = group.get(0).rpcAsync("worker1", Numbers::countDown, 5);
            group.get(2).shutdown();
            assertEquals(0, call.join());
        }
    }

    @Test
    void onlyStaticGroupsOverInprocAreSimulated() {
        Stream.of(
                        Map.entry("gradwire.group", "dynamic"),
                        Map.entry("gradwire.simulation.seed", "x"))
                .forEach(setting -> {
                    RpcOptions options =
                            RpcOptions.builder()
                                    .rank(0)
                                    .worldSize(1)
                                    .rendezvous("inproc://refused")
                                    .backend("inproc")
                                    .set("gradwire.simulation.seed", "1")
                                    .set(setting.getKey(), setting.getValue())
                                    .build();
                    var failure =
                            assertThrows(RpcConfigurationException.class, () -> Rpc.init(options));
                    assertTrue(
                            failure.getMessage().startsWith("gradwire.simulation.seed="),
                            failure::getMessage);
                });
    }
}
