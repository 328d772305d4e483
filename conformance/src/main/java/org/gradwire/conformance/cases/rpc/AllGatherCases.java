package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Cases of all-gather among all workers, or a subset. */
public abstract class AllGatherCases extends NestedSuite {
    private static final int ROUNDS = 10;
    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

    /** For subclasses. */
    protected AllGatherCases() {}

    @Case("API-010")
    void everyoneGetsTheValuesOfAllAndRoundsDoNotMix() {
        var together = new CyclicBarrier(4);
        world(4).run(self -> {
            for (int round = 0; round < ROUNDS; round++) {
                Map<String, List<Integer>> expected =
                        Map.of(
                                "worker0", List.of(0, round),
                                "worker1", List.of(1, round),
                                "worker2", List.of(2, round),
                                "worker3", List.of(3, round));
                assertEquals(expected, self.rpc().allGather(List.of(self.id(), round)));
            }
            meet(together);
            assertEquals("0", self.rpc().debugInfo().get("num_open_all_gathers"));
            meet(together); // all have checked before any shuts down
        });
    }

    @Case("API-010")
    void differentSetsGatherAtTheSameTime() {
        world(4).run(self -> {
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                List<Callable<Void>> exchanges =
                        List.of(
                                () -> exchange(self, Set.of(self.name(), self.name(1))),
                                () -> exchange(self, Set.of(self.name(-1), self.name())),
                                () -> exchange(self, Set.of(self.name(), self.name(2))),
                                () -> exchange(self, Set.of()));
                for (Future<Void> done : threads.invokeAll(exchanges)) {
                    done.get();
                }
            }
        });
    }

    private static Void exchange(Rank self, Set<String> names) {
        Set<String> members =
                names.isEmpty() ? Set.of("worker0", "worker1", "worker2", "worker3") : names;
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, String> values = self.rpc().allGather(self.name() + round, names);
            assertEquals(members, values.keySet());
            int now = round;
            values.forEach((name, value) -> assertEquals(name + now, value));
        }
        return null;
    }

    /** Longer than any message takes while other tests keep the cores busy. */
    private static final Duration LONGEST_MESSAGE = Duration.ofSeconds(5);

    @Case("API-011")
    void withoutTimeoutOnlyTheMessagesHaveThatOfCalls() {
        world(4).run(self -> {
            self.rpc().rpcTimeout(LONGEST_MESSAGE);
            comeLate(self, LONGEST_MESSAGE);
            assertEquals(4, self.rpc().allGather(self.id()).size());
            Gate.of(self.rpc()).letPass("door");
        });
    }

    @Case("API-011")
    void aTimeoutOfZeroIsRefused() {
        world(4).run(self -> {
            Expect.failure(
                    IllegalArgumentException.class,
                    "an RPC timeout must be more than zero, but got PT0S",
                    () -> self.rpc().allGather(self.id(), Set.of(), Duration.ZERO));
            assertEquals(4, self.rpc().allGather(self.id(), Set.of()).size());
        });
    }

    /** Make the last worker join the all-gather after a call that expected it has timed out. */
    private static void comeLate(Rank self, Duration timeout) {
        if (self.id() == 3) {
            Expect.failure(
                    RpcTimeoutException.class,
                    "RPC ran for more than set timeout",
                    () ->
                            self.rpc()
                                    .withTimeout(timeout)
                                    .rpcSync(self.name(), CallFunctions::holdAtDoor, 1));
        }
    }

    @Case("API-011")
    void theFirstByNameLeadsAndSaysWhoIsMissing() {
        Set<String> names = Set.of("worker2", "worker10", "worker9");
        var together = new CyclicBarrier(4);
        world(4).named("worker2", "worker10", "worker9", "other")
                .run(self -> {
                    Duration second = Duration.ofSeconds(1);
                    meet(together);
                    switch (self.name()) {
                        case "worker10" -> // precedes worker2 in string order, so it leads
                                // leads
                                Expect.failure(
                                        RpcTimeoutException.class,
                                        "^Followers \\[(worker2, )?worker9\\] timed out in an all-gather after 1\\.00 seconds\\. The first exception is ",
                                        () -> self.rpc().allGather(1, names, second));
                        case "worker2" ->
                                Expect.failure(
                                        RpcTimeoutException.class,
                                        "^Followers \\[(worker2|worker9|worker2, worker9)\\] timed out in an all-gather after 1\\.00 seconds|^RPCErr:1:",
                                        () -> self.rpc().allGather(1, names, second));
                        default -> {} // never joins
                    }
                    meet(together);
                });
    }

    @Case("API-011")
    void aLeaderThatCannotReachAFollowerNamesIt() {
        var together = new CyclicBarrier(2);
        world(2).run(self -> {
            // Worker 1 cannot read the leader's answer in time.
            Object value = self.id() == 0 ? new SlowToRead("worker1", "answer") : "quick";
            Expect.failure(
                    RpcException.class,
                    self.id() == 0
                            ? "^Followers \\[worker1\\] timed out in an all-gather after 2\\.00 seconds\\. The first exception is RPCErr:1:RPC ran for more than set timeout \\(2000 ms\\)"
                            : "^Followers \\[worker1\\] timed out in an all-gather",
                    () -> self.rpc().allGather(value, Set.of("worker0", "worker1"), TWO_SECONDS));
            meet(together);
            Gate.of(self.rpc()).letPass("answer");
        });
    }

    @Case("API-011")
    void aFollowerWhoseReportIsNotAnsweredGetsTheTimeoutOfTheCall() {
        var together = new CyclicBarrier(2);
        world(2).run(self -> {
            // The leader cannot read worker 1's report in time.
            Object value = self.id() == 1 ? new SlowToRead("worker0", "report") : "quick";
            Expect.failure(
                    RpcTimeoutException.class,
                    self.id() == 0
                            ? "^Followers \\[worker1\\] timed out in an all-gather after "
                            : "^RPCErr:1:RPC ran for more than set timeout \\(2000 ms\\)",
                    () -> self.rpc().allGather(value, Set.of("worker0", "worker1"), TWO_SECONDS));
            meet(together);
            Gate.of(self.rpc()).letPass("report");
        });
    }

    private static void meet(CyclicBarrier together) throws Exception {
        together.await(30, TimeUnit.SECONDS);
    }
}
