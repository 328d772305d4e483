package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.ReferenceFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.LogCapture;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcProvider;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Worker;

import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Cases of the public API, of the messages below all-gather and calls, and of leaks at shutdown.
 */
public abstract class ControlCases extends NestedSuite {
    private static final String ROUND = "worker0,worker1#1";
    private static final int SCRIPT_KIND = 1;

    /** For subclasses. */
    protected ControlCases() {}

    @Case("API-001")
    void thePublicSurfaceIsTheSixConcepts() {
        Set<String> methods =
                Arrays.stream(Rpc.class.getMethods())
                        .map(Method::getName)
                        .collect(Collectors.toSet());
        assertTrue(
                methods.containsAll(Set.of("shutdown", "worker", "remote", "rpcSync", "rpcAsync")),
                methods::toString);
        Module api = Rpc.class.getModule();
        assertEquals(api, RRef.class.getModule());
        assertTrue(api.isExported("org.gradwire.rpc"));
        Class<?> implementation = RpcProvider.installed().getClass();
        ModuleDescriptor runtime = implementation.getModule().getDescriptor();
        assertEquals(Set.of(), runtime.exports(), "the runtime module exports no package");
        assertFalse(
                api.getPackages().stream()
                        .filter(api::isExported)
                        .anyMatch(name -> name.contains("internal")),
                () -> api.getPackages().toString());
        for (String accidental : List.of("AllGatherStates", "MethodFactory", "NewMethod")) {
            assertThrows(
                    ClassNotFoundException.class,
                    () -> Class.forName("org.gradwire.rpc." + accidental));
        }
    }

    @Case("API-020")
    void thereAreNoFactoriesOfMethods() {
        assertFalse(
                Arrays.stream(Rpc.class.getMethods())
                        .map(Method::getName)
                        .anyMatch(name -> name.matches("methodFactory|newMethod")));
    }

    @Case("API-006")
    void initMakesAWorkerThatKnowsAllNamesAndLeavesOthersAlone() {
        world(2).run(self -> {
            Rpc rpc = self.rpc();
            assertEquals(
                    List.of(new WorkerInfo(0, "worker0"), new WorkerInfo(1, "worker1")),
                    rpc.workers());
            world(2).run(other -> assertNotSame(rpc, other.rpc()));
            assertEquals(4, rpc.rpcSync(self.next(), CallFunctions::square, 2));
        });
    }

    private static RpcFuture<Input> gather(Rank self, int value) {
        return Worker.of(self.rpc())
                .request(
                        0,
                        MessageTypes.GATHER_REQ,
                        out -> {
                            out.writeString(ROUND);
                            out.writeValue(value);
                        },
                        null);
    }

    private static RpcFuture<Input> broadcast(Rank self, Map<String, Integer> values) {
        return Worker.of(self.rpc())
                .request(
                        1,
                        MessageTypes.BROADCAST_REQ,
                        out -> {
                            out.writeString(ROUND);
                            out.writeBoolean(true);
                            out.writeValue(values);
                        },
                        null);
    }

    private static String open(Rpc rpc) {
        return String.valueOf(rpc.debugInfo().get("num_open_all_gathers"));
    }

    /**
     * Run the leader's all-gather with one follower that is driven by the test and does not accept
     * the reply.
     */
    private static RpcException gatherWithoutFollower(Rpc rpc) {
        return assertThrows(
                RpcException.class,
                () -> rpc.allGather(10, Set.of("worker0", "worker1"), Duration.ofSeconds(20)));
    }

    @Case("API-005")
    void theStateOfARoundIsMadeByWhoeverTouchesItFirst() {
        var reported = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        world(2).run(self -> {
            Rpc rpc = self.rpc();
            if (self.id() == 1) {
                gather(self, 11).join();
                reported.countDown();
                assertTrue(over.await(60, TimeUnit.SECONDS));
                return;
            }
            assertTrue(reported.await(60, TimeUnit.SECONDS));
            assertEquals("1", open(rpc), "made by the follower's value");
            RpcException failure = gatherWithoutFollower(rpc);
            assertTrue(
                    failure.getMessage()
                            .contains(
                                    "worker1 does not take part in the all-gather "
                                            + ROUND
                                            + " now"),
                    failure.getMessage());
            assertEquals("0", open(rpc));
            over.countDown();
        });
    }

    @Case("API-007")
    void theLeaderTakesOneValueOfEachName() {
        var checked = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        world(2).run(self -> {
            if (self.id() == 0) {
                assertTrue(checked.await(60, TimeUnit.SECONDS));
                var _ = gatherWithoutFollower(self.rpc());
                over.countDown();
                return;
            }
            gather(self, 11).join();
            Expect.failure(
                    RuntimeException.class,
                    "worker1 sent a second value for the all-gather " + ROUND,
                    () -> gather(self, 12).join());
            checked.countDown();
            assertTrue(over.await(60, TimeUnit.SECONDS));
        });
    }

    @Case("API-007")
    void theLeaderTakesNoValueOfAStranger() {
        var refused = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        world(3).run(self -> {
            switch (self.id()) {
                case 0 -> {
                    var _ = gatherWithoutFollower(self.rpc());
                    over.countDown();
                }
                case 1 -> {
                    assertTrue(refused.await(60, TimeUnit.SECONDS));
                    gather(self, 11).join();
                }
                default -> {
                    Expect.eventually("the leader has begun", () -> hasBegun(self.rpc()));
                    Expect.failure(
                            RuntimeException.class,
                            "worker2 is not expected by leader\\.",
                            () -> gather(self, 13).join());
                    refused.countDown();
                }
            }
            assertTrue(over.await(60, TimeUnit.SECONDS));
        });
    }

    private static boolean hasBegun(Rpc rpc) {
        Map<String, String> leader = rpc.rpcSync("worker0", CallFunctions::debugInfo);
        return "1".equals(leader.get("num_open_all_gathers"));
    }

    @Case("API-008")
    void theFollowersAreToldOnce() {
        var told = new CountDownLatch(1);
        world(2).run(self -> {
            Rpc rpc = self.rpc();
            if (self.id() == 1) {
                assertEquals(Map.of("worker0", 1, "worker1", 2), rpc.allGather(3));
                told.countDown();
                return;
            }
            Expect.eventually("the follower has reported", () -> "1".equals(open(rpc)));
            Map<String, Integer> values = Map.of("worker0", 1, "worker1", 2);
            broadcast(self, values).join();
            assertTrue(told.await(60, TimeUnit.SECONDS));
            Expect.failure(
                    RuntimeException.class,
                    "the all-gather " + ROUND + " has ended already",
                    () -> broadcast(self, values).join());
        });
    }

    @Case("JR-027")
    void aScriptFunctionThatTheCalleeLacksIsItsAnswer() {
        world(4).runOnRank0(self -> {
            RpcFuture<Input> answer =
                    Worker.of(self.rpc())
                            .request(
                                    1,
                                    MessageTypes.SCRIPT_CALL,
                                    out -> {
                                        out.writeInt(SCRIPT_KIND);
                                        out.writeBytes(
                                                "org.gradwire.Missing#nonexisting_script()V"
                                                        .getBytes(StandardCharsets.UTF_8));
                                        out.writeInt(0);
                                    },
                                    null);
            Expect.failure(
                    RpcException.class,
                    "attempted to get undefined function nonexisting_script",
                    answer::join);
        });
    }

    @Case("API-002")
    void leaksAreLoggedOrAreErrors() {
        try (LogCapture log = LogCapture.of("org.gradwire.rpc")) {
            leak("false");
            assertTrue(log.has("Leaking RRef", "with fork Id"));
        }
        Throwable failure = assertThrows(RpcException.class, () -> leak("true"));
        Expect.failure(
                RpcException.class,
                "Leaking RRef GloballyUniqueId\\(created_on=1, local_id=0\\) with fork Id"
                        + " GloballyUniqueId\\(created_on=1, local_id=1\\)",
                () -> {
                    throw failure;
                });
    }

    /** Stop a worker while another one still uses its value. */
    private void leak(String isError) {
        var made = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        world(2).with("gradwire.fail-on-rref-leak", isError)
                .withoutGracefulShutdown()
                .run(self -> {
                    if (self.id() == 1) {
                        RRef<Integer> user =
                                self.rpc().remote("worker0", ReferenceFunctions::returnValue, 5);
                        assertEquals(5, user.toHere());
                        made.countDown();
                        assertTrue(stopped.await(60, TimeUnit.SECONDS));
                        return;
                    }
                    assertTrue(made.await(60, TimeUnit.SECONDS));
                    try {
                        self.rpc().shutdownNow();
                    } finally {
                        stopped.countDown();
                    }
                });
    }

    @Case("API-017")
    void allIsStoppedAlsoWhenReferencesLeaked() {
        var made = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        world(2).withoutGracefulShutdown()
                .run(self -> {
                    Rpc rpc = self.rpc();
                    if (self.id() == 1) {
                        RRef<Integer> user =
                                rpc.remote("worker0", ReferenceFunctions::returnValue, 5);
                        assertEquals(5, user.toHere());
                        made.countDown();
                        assertTrue(stopped.await(60, TimeUnit.SECONDS));
                        Expect.eventually(
                                "calls to it fail",
                                () -> {
                                    try {
                                        rpc.rpcSync("worker0", CallFunctions::square, 1);
                                        return false;
                                    } catch (RpcException e) {
                                        return true;
                                    }
                                });
                        return;
                    }
                    assertTrue(made.await(60, TimeUnit.SECONDS));
                    Expect.failure(RpcException.class, "Leaking RRef", rpc::shutdownNow);
                    stopped.countDown();
                    Expect.failure(
                            RpcException.class,
                            "^RPC has not been initialized",
                            () -> rpc.rpcSync("worker1", CallFunctions::square, 1));
                    assertEquals("0", rpc.debugInfo().get("num_owner_rrefs"));
                    rpc.shutdownNow(); // a no-op
                });
    }
}
