package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.harness.DynamicMembers;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Cases of back-pressure: calls above the per-peer limit block their callers, none is lost, and
 * none blocks forever.
 */
@Tag("quick")
public abstract class BackPressureCases extends NestedSuite {
    private static final long PATIENCE_SECONDS = 60;
    private static final String DOOR = "door";

    /** For subclasses. */
    protected BackPressureCases() {}

    /** Start a worker that runs few calls at a time and has a small peer window. */
    private static Rpc join(DynamicMembers members, int id, int runningCalls, String window) {
        return members.join(
                RpcOptions.builder("worker" + id)
                        .rank(id)
                        .dynamicGroup()
                        .set("gradwire.max-running-calls", Integer.toString(runningCalls))
                        .set("gradwire.peer-window", window));
    }

    private static <T> CompletableFuture<T> inThread(Supplier<T> action) {
        return CompletableFuture.supplyAsync(action, task -> Thread.ofPlatform().start(task));
    }

    private static long metric(Rpc rpc, String key) {
        return Long.parseLong(String.valueOf(rpc.debugInfo().get(key)));
    }

    private static void awaitMetric(Rpc rpc, String key, long value) throws InterruptedException {
        Expect.eventually(key + " is " + value, () -> metric(rpc, key) == value);
    }

    /**
     * A caller whose window is full: one call runs, one is queued on the callee, and a third
     * blocks.
     */
    private static final class FullWindow {
        private final Rpc caller;
        private final Rpc callee;
        private final List<RpcFuture<Integer>> sent = new ArrayList<>();
        private final CompletableFuture<RpcFuture<Integer>> third;

        FullWindow(DynamicMembers members) throws InterruptedException {
            caller = join(members, 0, 1, "2k");
            callee = join(members, 1, 1, "2k");
            sent.add(caller.rpcAsync("worker1", Gate::hold, DOOR, 1));
            Gate.of(callee).awaitArrivals(DOOR, 1);
            // The window has no room for this call, but the first call might depend on it.
            sent.add(caller.rpcAsync("worker1", Gate::hold, DOOR, 2));
            awaitMetric(callee, "agent.server_waiting_calls", 1);
            third = inThread(() -> caller.rpcAsync("worker1", Gate::hold, DOOR, 3));
            awaitMetric(caller, "agent.client_waiting_calls", 1);
        }

        RpcFuture<Integer> third() throws Exception {
            return third.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void whoCallsBeyondTheWindowWaitsWhileCallsAreInLine() throws Exception {
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            var full = new FullWindow(members);
            assertFalse(full.third.isDone());
            assertEquals(1, metric(full.callee, "agent.server_waiting_calls"));
            Gate.of(full.callee).letPass(DOOR);
            assertEquals(1, full.sent.get(0).join());
            assertEquals(2, full.sent.get(1).join());
            assertEquals(3, full.third().join());
            assertEquals(0, metric(full.caller, "agent.client_waiting_calls"));
            awaitMetric(full.caller, "agent.client_call_bytes", 0);
        }
    }

    @Test
    void aCallWhoseTimeIsUpBeforeThereIsRoomFailsAndIsNotMade() throws Exception {
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            var full = new FullWindow(members);
            RpcFuture<Integer> late =
                    full.caller
                            .withTimeout(Duration.ofMillis(20))
                            .rpcAsync("worker1", Gate::hold, DOOR, 4);
            Expect.failure(
                    RpcTimeoutException.class,
                    "RPC ran for more than set timeout \\(20 ms\\)",
                    late::join);
            Gate.of(full.callee).letPass(DOOR);
            assertEquals(3, full.third().join());
            assertEquals(3, Gate.of(full.callee).arrivals(DOOR));
        }
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            var full = new FullWindow(members);
            var thread = new CompletableFuture<Thread>();
            CompletableFuture<RpcFuture<Integer>> interrupted =
                    inThread(() -> {
                        thread.complete(Thread.currentThread());
                        return full.caller.rpcAsync("worker1", Gate::hold, DOOR, 4);
                    });
            awaitMetric(full.caller, "agent.client_waiting_calls", 2);
            thread.join().interrupt();
            RpcFuture<Integer> call = interrupted.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            RpcException failure = assertThrows(RpcException.class, call::join);
            assertEquals(RpcErrorKind.CANCELLED, failure.kind());
            Gate.of(full.callee).letPass(DOOR);
            assertEquals(3, full.third().join());
            assertEquals(3, Gate.of(full.callee).arrivals(DOOR));
        }
    }

    @Test
    void whoWaitsForRoomLearnsThatThePeerIsGone() throws Exception {
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            var full = new FullWindow(members);
            full.callee.shutdownNow();
            for (RpcFuture<Integer> call : List.of(full.sent.get(0), full.third())) {
                assertThrows(RpcConnectionException.class, call::join);
            }
            awaitMetric(full.caller, "agent.client_call_bytes", 0);
        }
    }

    @Test
    void whoWaitsForRoomLearnsOfTheOwnEnd() throws Exception {
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            var full = new FullWindow(members);
            full.caller.shutdownNow();
            RpcFuture<Integer> call = full.third();
            RpcException failure = assertThrows(RpcException.class, call::join);
            assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
        }
    }

    @Test
    void callsFromWithinCallsNeverWaitForEachOthersRoom() throws Exception {
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            Rpc first = join(members, 0, 1, "1");
            Rpc second = join(members, 1, 1, "1");
            Gate.of(second).letPass(DOOR);
            List<String> line = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                line.addAll(List.of("worker0", "worker1"));
            }
            assertEquals(7, first.rpcSync("worker1", CallFunctions::relay, line, DOOR, 7));
            awaitMetric(first, "agent.client_call_bytes", 0);
            awaitMetric(second, "agent.client_call_bytes", 0);
        }
    }

    @Test
    void manySmallCallsThroughALittleWindowAllComeBack() throws Exception {
        int calls = 1_000;
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            Rpc first = join(members, 0, 8, "16k");
            join(members, 1, 8, "16k");
            List<CompletableFuture<List<RpcFuture<Integer>>>> callers =
                    Collections.nCopies(3, 0).stream()
                            .map(_ -> inThread(() -> square(first, calls)))
                            .toList();
            for (CompletableFuture<List<RpcFuture<Integer>>> caller : callers) {
                List<RpcFuture<Integer>> squares = caller.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                for (int i = 0; i < calls; i++) {
                    assertEquals(i * i, squares.get(i).join());
                }
            }
            awaitMetric(first, "agent.client_call_bytes", 0);
        }
    }

    private static List<RpcFuture<Integer>> square(Rpc rpc, int calls) {
        List<RpcFuture<Integer>> squares = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            squares.add(rpc.rpcAsync("worker1", CallFunctions::square, i));
        }
        return squares;
    }

    @Test
    void largeRepliesBeyondTheWindowAllArrive() throws Exception {
        int calls = 40;
        int megabyte = 1 << 18;
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            Rpc first = join(members, 0, 4, "64m");
            Rpc second = join(members, 1, 64, "2m");
            List<RpcFuture<Object>> echoes = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                Object tensor = Tensor.full((float) i, megabyte);
                echoes.add(first.rpcAsync("worker1", CallFunctions::echo, tensor));
            }
            for (int i = 0; i < calls; i++) {
                Expect.tensor(Tensor.full((float) i, megabyte), (Tensor) echoes.get(i).join());
            }
            awaitMetric(first, "agent.client_call_bytes", 0);
            awaitMetric(second, "agent.server_waiting_calls", 0);
        }
    }
}
