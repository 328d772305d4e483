package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.functions.ReferenceFunctions;
import org.gradwire.conformance.functions.RetryFunctions;
import org.gradwire.conformance.functions.RetryFunctions.Tally;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Cases of retried calls, which run once. */
public abstract class RetryCases extends NestedSuite {
    private static final String CALLS = "UDF_CALL,SCRIPT_CALL,UDF_REMOTE_CALL,SCRIPT_REMOTE_CALL";
    private static final int TIMES = 20;

    /** For subclasses. */
    protected RetryCases() {}

    /** A policy that retries until the call's timeout. */
    static RetryPolicy patient() {
        return new RetryPolicy(100_000, Duration.ofMillis(1), 1, Duration.ofMillis(50));
    }

    static int metric(Rpc rpc, String name) {
        return Integer.parseInt(Objects.requireNonNull(rpc.debugInfo().get(name), name));
    }

    static void awaitNothingKept(WorkerGroup group) throws InterruptedException {
        for (int rank = 0; rank < group.size(); rank++) {
            Rpc rpc = group.rpc(rank);
            for (String name :
                    List.of("num_retried_calls", "num_cached_replies", "num_cached_reply_bytes")) {
                Expect.eventually(
                        "%s has no %s".formatted(rpc.self(), name), () -> metric(rpc, name) == 0);
            }
        }
    }

    private WorkerGroup lossy(int size, String types, double share) {
        String shares = types.replace(",", ":" + share + ",") + ":" + share;
        return WorkerGroup.start(
                backend()
                        .withFaults(
                                Map.of(
                                        "gradwire.faulty.requests-to-lose", shares,
                                        "gradwire.faulty.replies-to-lose", shares,
                                        "gradwire.faulty.requests-to-repeat", shares)),
                size);
    }

    @Case("RT-001")
    void whatCannotBeSentIsSentAgainWhicheverWayItIsCalled() throws Exception {
        Map<String, String> faults =
                Map.of(
                        "gradwire.faulty.messages-to-fail",
                        CALLS,
                        "gradwire.faulty.num-fail-sends",
                        "3");
        try (WorkerGroup group = WorkerGroup.start(backend().withFaults(faults), 2)) {
            Rpc rpc = group.rpc(0);
            RpcCalls calls = rpc.withRetry(new RetryPolicy(3, Duration.ofMillis(1), 1));
            assertEquals(1, calls.rpcSync("worker1", RetryFunctions::count, "sync"));
            assertEquals(1, calls.rpcAsync("worker1", RetryFunctions::count, "async").join());
            assertEquals(1, calls.rpcSync("worker1", RetryFunctions::countInScript, "script"));
            assertEquals(
                    1,
                    calls.rpcSync(
                            "worker1", RpcFunction.async(RetryFunctions::countLater), "later"));
            Expect.tensor(
                    Tensor.full(2f, 3),
                    calls.rpcSync("worker1", Ops::add, Tensor.ones(3), Tensor.ones(3)));
            try (RRef<Integer> made = calls.remote("worker1", RetryFunctions::count, "remote");
                    RRef<Tally> tally = calls.remote("worker1", Tally::new, "method")) {
                assertEquals(1, made.toHere());
                assertEquals(
                        1,
                        tally.withRetry(new RetryPolicy(3, Duration.ofMillis(1), 1))
                                .rpcSync(Tally::count));
            }
            // Remote probes would fail too, so the case reads the worker's state directly.
            RetryFunctions there = RetryFunctions.of(group.rpc(1));
            for (String key : List.of("sync", "async", "script", "later", "remote", "method")) {
                assertEquals(1, there.runs(key), key);
            }
            assertEquals(3 * 8, metric(rpc, "num_retries"));
            awaitNothingKept(group);
        }
    }

    @Case("RT-002")
    void theFunctionRunsOnceThoughRequestsAndRepliesAreLostAndRepeated() throws Exception {
        try (WorkerGroup group = lossy(2, CALLS, 0.3)) {
            Rpc rpc = group.rpc(0);
            RpcCalls calls = rpc.withRetry(patient());
            for (int i = 1; i <= TIMES; i++) {
                assertEquals(i, calls.rpcSync("worker1", RetryFunctions::count, "one by one"));
            }
            List<RpcFuture<Integer>> together = new ArrayList<>();
            for (int i = 0; i < TIMES; i++) {
                together.add(calls.rpcAsync("worker1", RetryFunctions::count, "together"));
            }
            assertEquals(
                    (TIMES + 1) * TIMES / 2,
                    rpc.collectAll(together).join().stream().mapToInt(Integer::intValue).sum());
            for (int i = 0; i < TIMES; i++) {
                Tensor a = Tensor.full((float) i, 100);
                Expect.tensor(Tensor.full(2f * i, 100), calls.rpcSync("worker1", Ops::add, a, a));
            }
            RetryFunctions there = RetryFunctions.of(group.rpc(1));
            assertEquals(TIMES, there.runs("one by one"));
            assertEquals(TIMES, there.runs("together"));
            for (String name : List.of("lost_requests", "lost_replies", "repeated_requests")) {
                assertTrue(metric(rpc, "faulty." + name) > 0, name);
            }
            awaitNothingKept(group);
        }
    }

    @Case("RT-003")
    void aRequestThatComesAgainWhileTheFunctionRunsGetsItsResult() throws Exception {
        try (WorkerGroup group = WorkerGroup.start(backend().withFaults(Map.of()), 2)) {
            Rpc rpc = group.rpc(0);
            RpcFuture<Integer> held =
                    rpc.withRetry(patient())
                            .rpcAsync("worker1", RetryFunctions::countAndHold, "held");
            Gate gate = Gate.of(group.rpc(1));
            gate.awaitArrivals("held", 1);
            Expect.eventually("it is sent again", () -> metric(rpc, "num_retries") > 3);
            gate.letPass("held");
            assertEquals(1, held.join());
            assertEquals(1, RetryFunctions.of(group.rpc(1)).runs("held"));
            awaitNothingKept(group);
        }
    }

    /** A leaked reference would be an error when the group ends. */
    @Case("RT-004")
    void referencesAreEnteredOnce() throws Exception {
        try (WorkerGroup group = lossy(3, CALLS, 0.3)) {
            Rpc rpc = group.rpc(0);
            RpcCalls calls = rpc.withRetry(patient());
            try (RRef<Integer> seven =
                    calls.remote("worker1", ReferenceFunctions::returnValue, 7)) {
                for (String to : List.of("worker0", "worker1", "worker2")) {
                    for (int i = 1; i <= TIMES / 2; i++) {
                        assertEquals(
                                7 * i,
                                calls.rpcSync(to, RetryFunctions::countAndRead, "read", seven));
                        try (RRef<Integer> made =
                                calls.rpcSync(to, RetryFunctions::countToReference, "made")) {
                            assertEquals(i, made.toHere());
                        }
                    }
                }
            }
            for (int rank = 0; rank < 3; rank++) {
                Rpc worker = group.rpc(rank);
                Expect.eventually(
                        "no reference is owned", () -> metric(worker, "num_owner_rrefs") == 0);
            }
            awaitNothingKept(group);
        }
    }

    @Case("RT-005")
    void aRecordedCallIsRecordedOnce() throws Exception {
        try (WorkerGroup group = lossy(2, "FORWARD_AUTOGRAD_REQ", 0.3)) {
            Rpc rpc = group.rpc(0);
            RpcCalls calls = rpc.withRetry(patient());
            for (int i = 0; i < TIMES; i++) {
                Tensor a = Tensor.ones(3, 3).requiresGrad(true);
                try (AutogradContext context = DistAutograd.context(rpc)) {
                    context.backward(calls.rpcSync("worker1", Ops::mul, a, a).sum());
                    Expect.tensor(
                            Tensor.full(2f, 3, 3),
                            Objects.requireNonNull(context.gradients().get(a)));
                }
            }
            assertTrue(metric(rpc, "num_retries") > 0);
            for (int rank = 0; rank < 2; rank++) {
                Rpc worker = group.rpc(rank);
                Expect.eventually(
                        "the contexts were dropped",
                        () -> metric(worker, "num_autograd_contexts") == 0);
            }
            awaitNothingKept(group);
        }
    }

    @Case("RT-006")
    void theCallCountsMoreThanTheConfigurationAndThatMoreThanTheMark() throws Exception {
        Map<String, String> faults =
                Map.of(
                        "gradwire.faulty.messages-to-fail", "UDF_CALL",
                        "gradwire.faulty.num-fail-sends", "2",
                        "gradwire.retries", "*.CallFunctions.sq*=2 1ms, *.Tally.*=1 1ms, *fail=0");
        try (WorkerGroup group = WorkerGroup.start(backend().withFaults(faults), 2)) {
            Rpc rpc = group.rpc(0);
            assertEquals(1, rpc.rpcSync("worker1", RetryFunctions::countMarked, "marked"));
            assertEquals(9, rpc.rpcSync("worker1", CallFunctions::square, 3));
            Expect.failure(
                    RpcException.class,
                    "^RPCErr:2:Send attempt failed intentionally",
                    () -> rpc.rpcSync("worker1", RetryFunctions::count, "off by default"));
            Expect.failure(
                    RpcException.class,
                    "^RPCErr:2:Send attempt failed intentionally",
                    () ->
                            rpc.withRetry(RetryPolicy.NONE)
                                    .rpcSync(
                                            "worker1",
                                            RetryFunctions::countMarked,
                                            "switched off"));
            Expect.failure(
                    RpcException.class,
                    "^RPCErr:2:Send attempt failed intentionally",
                    () -> rpc.rpcSync("worker1", CallFunctions::fail, ""));
            try (RRef<Tally> tally = rpc.remote("worker1", Tally::new, "tally")) {
                Expect.failure(
                        RpcException.class,
                        "max retries \\(1\\)\\.$",
                        () -> tally.rpcSync(Tally::count));
                assertEquals(
                        1,
                        tally.withTimeout(Duration.ofSeconds(60))
                                .withRetry(patient())
                                .rpcSync(Tally::count));
            }
            awaitNothingKept(group);
        }
    }
}
