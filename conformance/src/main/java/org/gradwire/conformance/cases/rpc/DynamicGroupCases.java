package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.functions.ReferenceFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.DynamicMembers;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Tag;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Cases of dynamic groups, whose workers join and leave. */
@Tag("quick")
public abstract class DynamicGroupCases extends NestedSuite {
    private static final long PATIENCE_SECONDS = 60;

    /** For subclasses. */
    protected DynamicGroupCases() {}

    private DynamicMembers members() {
        return DynamicMembers.of(backend());
    }

    /** Calls a worker in a loop until it is closed. */
    private static final class Caller implements AutoCloseable {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicInteger calls = new AtomicInteger();
        private final CompletableFuture<Void> end;

        Caller(Rpc rpc, String to) {
            end =
                    CompletableFuture.runAsync(
                            () -> {
                                while (!stopped.get()) {
                                    int value = calls.getAndIncrement() % 1000;
                                    int square = rpc.rpcSync(to, CallFunctions::square, value);
                                    assertEquals(value * value, square);
                                }
                            },
                            task -> Thread.ofPlatform().start(task));
        }

        /** Wait until it has made more calls. */
        void awaitMore() throws InterruptedException {
            int before = calls.get();
            Expect.eventually("the calls continue", () -> calls.get() > before + 2 || end.isDone());
        }

        @Override
        public void close() {
            stopped.set(true);
            end.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        }
    }

    private static void assertGone(Rpc rpc, String name) {
        Expect.failure(
                RpcException.class,
                "could not find destination name " + name,
                () -> rpc.rpcSync(name, CallFunctions::square, 1));
        assertFalse(
                rpc.workers().stream().map(WorkerInfo::name).toList().contains(name),
                () -> rpc.workers().toString());
    }

    @Case("API-015")
    void aWorkerComesAndGoesWhileOthersCallEachOther() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            Rpc second = members.join(1);
            try (var caller = new Caller(first, "worker1")) {
                caller.awaitMore();
                Rpc third = members.join(2);
                assertEquals(List.of(first.self(), second.self(), third.self()), third.workers());
                assertEquals(49, third.rpcSync("worker0", CallFunctions::square, 7));
                assertEquals(third.workers(), first.workers());
                assertEquals(64, first.rpcSync("worker2", CallFunctions::square, 8));
                caller.awaitMore();
                third.shutdown(); // without a barrier: the others stay
                assertGone(first, "worker2");
                assertGone(second, "worker2");
                Expect.failure(
                        RpcException.class,
                        "^RPC has not been initialized",
                        () -> third.rpcSync("worker0", CallFunctions::square, 1));
                caller.awaitMore();
            }
            second.shutdown();
            first.shutdown(); // no other worker is left to wait for
        }
    }

    @Case("API-015")
    void whoLeavesWaitsForItsOwnCallsOnly() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            Rpc second = members.join(1);
            RpcFuture<Integer> held = first.rpcAsync("worker1", CallFunctions::holdAtDoor, 5);
            Gate.of(second).awaitArrivals("door", 1);
            CompletableFuture<Void> left =
                    CompletableFuture.runAsync(first::shutdown, task -> new Thread(task).start());
            Expect.eventually(
                    "the other worker is notified",
                    () -> second.workers().equals(List.of(second.self())));
            assertFalse(left.isDone());
            Gate.of(second).letPass("door");
            left.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertEquals(5, held.value());
            assertGone(second, "worker0");
        }
    }

    @Case("API-015")
    void leavingInTimeOrNotItStops() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            Rpc second = members.join(1);
            RpcFuture<Integer> held = first.rpcAsync("worker1", CallFunctions::holdAtDoor, 5);
            Gate.of(second).awaitArrivals("door", 1);
            Expect.failure(
                    RpcException.class,
                    "1 calls of this worker and 0 calls of peers are still in flight",
                    () -> first.shutdown(Duration.ofMillis(300)));
            Expect.failure(RpcException.class, "", held::value);
            Expect.eventually("it has left", () -> second.workers().size() == 1);
            Gate.of(second).letPass("door");
        }
    }

    @Case("API-015")
    void rankZeroLeavesAndOthersJoinAndItComesBack() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            Rpc second = members.join(1);
            first.shutdown();
            Rpc third = members.join(2);
            assertEquals(List.of(second.self(), third.self()), third.workers());
            assertEquals(9, third.rpcSync("worker1", CallFunctions::square, 3));
            Rpc again = members.join(0);
            assertEquals(3, again.workers().size());
            assertEquals(16, again.rpcSync("worker1", CallFunctions::square, 4));
            assertEquals(again.workers(), third.workers());
            assertEquals(25, third.rpcSync("worker0", CallFunctions::square, 5));
            assertEquals(
                    List.of("worker0", "worker1", "worker2"),
                    gather(List.of(again, second, third)));
        }
    }

    /** Run an all-gather over all workers, and return the names that all of them received. */
    private static List<String> gather(List<Rpc> workers) throws Exception {
        List<CompletableFuture<Map<String, Integer>>> maps =
                workers.stream()
                        .map(rpc ->
                                CompletableFuture.supplyAsync(
                                        () -> rpc.allGather(rpc.self().id()),
                                        task -> Thread.ofPlatform().start(task)))
                        .toList();
        Map<String, Integer> first = maps.getFirst().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        for (CompletableFuture<Map<String, Integer>> map : maps) {
            assertEquals(first, map.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        return first.keySet().stream().sorted().toList();
    }

    @Case("API-015")
    void gatheringCountsAnewWithAWorkerThatComesAgain() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            Rpc second = members.join(1);
            assertEquals(2, first.workers().size());
            List<String> both = List.of("worker0", "worker1");
            assertEquals(both, gather(List.of(first, second)));
            assertEquals(both, gather(List.of(first, second)));
            second.shutdown();
            assertEquals(List.of("worker0"), gather(List.of(first)));
            Rpc again = members.join(1);
            assertEquals(2, first.workers().size());
            assertEquals(both, gather(List.of(first, again)));
        }
    }

    @Case("API-015")
    void aWorkerThatIsLostMakesRoomForOneOfItsName() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            Rpc second = members.join(1);
            RRef<Integer> old = first.remote("worker1", ReferenceFunctions::returnValue, 5);
            assertEquals(5, old.toHere());
            second.shutdownNow();
            Expect.eventually("it has left", () -> first.workers().size() == 1);
            assertGone(first, "worker1");
            Rpc again = members.join(1);
            assertEquals(again.workers(), first.workers());
            assertEquals(36, first.rpcSync("worker1", CallFunctions::square, 6));
            Expect.failure(RpcConnectionException.class, "^Connection ", old::toHere);
            Expect.failure(
                    RpcConnectionException.class,
                    "^Connection ",
                    () -> first.rpcSync("worker1", CallFunctions::echo, old));
            old.close();
            try (RRef<Integer> fresh = first.remote("worker1", ReferenceFunctions::returnValue, 7);
                    RRef<Integer> back =
                            again.remote("worker0", ReferenceFunctions::returnValue, 8)) {
                assertEquals(7, fresh.toHere());
                assertEquals(8, back.toHere());
            }
            Expect.eventually(
                    "nothing is kept",
                    () ->
                            "0".equals(first.debugInfo().get("num_owner_rrefs"))
                                    && "0".equals(again.debugInfo().get("num_owner_rrefs")));
        }
    }

    @Case("API-015")
    void gradientsCrossADynamicGroupAndItsChanges() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            members.join(1).shutdownNow();
            Expect.eventually("it has left", () -> first.workers().size() == 1);
            Rpc second = members.join(1);
            assertEquals(second.workers(), first.workers());
            for (Rpc rpc : List.of(first, second)) {
                String other = rpc.equals(first) ? "worker1" : "worker0";
                Tensor a = Tensor.ones(3, 3).requiresGrad(true);
                try (AutogradContext context = DistAutograd.context(rpc)) {
                    Tensor loss = rpc.rpcSync(other, Ops::mul, a, a).sum();
                    context.backward(loss);
                    Expect.tensor(
                            Tensor.full(2f, 3, 3),
                            Objects.requireNonNull(context.gradients().get(a)));
                    assertNull(a.grad());
                }
            }
        }
    }

    @Case("API-015")
    void aNameIsFreeAsSoonAsItsWorkerHasStopped() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            for (int round = 0; round < 10; round++) {
                Rpc second = members.join(1);
                assertEquals(9, first.rpcSync("worker1", CallFunctions::square, 3));
                assertEquals(16, second.rpcSync("worker0", CallFunctions::square, 4));
                second.shutdownNow();
            }
            Expect.eventually("no worker was taken for another", () -> first.workers().size() == 1);
        }
    }

    @Case("API-015")
    void aNameOrIdThatAMemberHasIsRefused() throws Exception {
        try (DynamicMembers members = members()) {
            Rpc first = members.join(0);
            Expect.failure(
                    RpcConfigurationException.class,
                    "^RPC worker id 0 is not unique: worker worker0 has it already, so other cannot join",
                    () -> members.join(RpcOptions.builder("other").rank(0).dynamicGroup()));
            Expect.failure(
                    RpcConfigurationException.class,
                    "^RPC worker name worker0 is not unique\\. Workers 0 and 3 share the same"
                            + " name\\.",
                    () -> members.join(RpcOptions.builder("worker0").rank(3).dynamicGroup()));
            Expect.failure(
                    RpcConfigurationException.class,
                    "^RPC group mixes statically and dynamically initialized members which is not"
                            + " supported\\. The group is dynamic, but this worker wants to join a static"
                            + " one",
                    () -> members.join(RpcOptions.builder("worker9").rank(0).worldSize(1)));
            Rpc second = members.join(3);
            assertEquals(2, second.workers().size());
            assertEquals(second.workers(), first.workers());
            assertEquals(4, second.rpcSync("worker0", CallFunctions::square, 2));
        }
    }
}
