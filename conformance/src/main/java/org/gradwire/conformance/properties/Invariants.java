package org.gradwire.conformance.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.conformance.properties.functions.PropertyFunctions;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The invariants of the specification (section i), each as a check of a random program. */
public final class Invariants {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final double RELATIVE = 1e-9;
    private static final double ABSOLUTE = 1e-12;

    private Invariants() {}

    /** I-1: gradients equal those of a local run, and {@code grad} stays bitwise the same. */
    public static void gradientsEqualLocalOnes(WorkerGroup group, GradientProgram program) {
        List<Tensor> leaves = program.leaves();
        program.runHere(leaves).backward();
        List<@Nullable Tensor> before = new ArrayList<>();
        leaves.forEach(leaf -> before.add(leaf.grad() == null ? null : leaf.grad().copy()));
        Rpc rpc = group.rpc(0);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            context.backward(program.runThere(rpc, leaves));
            Map<Tensor, Tensor> gradients = context.gradients();
            for (int i = 0; i < leaves.size(); i++) {
                assertSameGradient(before.get(i), gradients.get(leaves.get(i)));
                Tensor now = leaves.get(i).grad();
                Tensor then = before.get(i);
                assertTrue(then == null ? now == null : now != null && then.equal(now));
            }
        }
    }

    /**
     * I-1, I-2: as {@link #gradientsEqualLocalOnes} with nested calls, several passes and
     * concurrent programs; nothing of them is left.
     */
    public static void expressionsLeaveTheirGradientsOnly(
            WorkerGroup group, List<ExpressionProgram> programs) {
        ExpressionRuns.run(group, programs, false);
    }

    /** I-1, I-2 with faults: a program ends correctly or with a typed error, and leaves nothing. */
    public static void faultsEndInTypedErrors(WorkerGroup group, List<ExpressionProgram> programs) {
        ExpressionRuns.run(group, programs, true);
    }

    /**
     * I-2, I-6: while a worker leaves, each program ends correctly or, if it involves that worker,
     * with a typed error, and so does the shutdown; nothing is left on the others. Shuts the group
     * down.
     */
    public static void leavingEndsInTypedErrors(WorkerGroup group, LeavingProgram program) {
        LeavingRun.run(group, program);
    }

    private static void assertSameGradient(@Nullable Tensor expected, @Nullable Tensor actual) {
        if (expected == null) {
            assertEquals(null, actual);
            return;
        }
        assertNotNull(actual);
        assertTrue(
                expected.allclose(actual, RELATIVE, ABSOLUTE),
                () -> "expected " + expected + ", but got " + actual);
    }

    /** I-2: all workers have dropped closed contexts, even after errors. */
    public static void contextsAreGone(WorkerGroup group, List<ContextProgram> programs) {
        programs.forEach(program -> program.run(group.rpc(0)));
        eventuallyZero(group, "num_autograd_contexts", "num_current_backward_passes");
    }

    /** I-3: the value exists for every open reference, and nothing is left once all are closed. */
    public static void valuesLiveAsLongAsTheirReferences(
            WorkerGroup group, ReferenceProgram program) {
        Rpc rpc = group.rpc(0);
        Map<Integer, Integer> open = new TreeMap<>(); // the worker that holds the reference, by key
        int next = (int) group.nextNumber();
        try (RRef<Integer> first =
                rpc.remote(
                        "worker" + program.owner(), PropertyFunctions::number, program.value())) {
            rpc.runSync("worker0", PropertyFunctions::hold, next, first);
            open.put(next, 0);
            for (ReferenceProgram.Action action : program.actions()) {
                act(group, program, action, open);
            }
        }
        open.forEach((key, worker) -> {
            assertEquals(
                    program.value(), rpc.rpcSync("worker" + worker, PropertyFunctions::read, key));
            rpc.runSync("worker" + worker, PropertyFunctions::drop, key);
        });
        eventuallyZero(group, "num_owner_rrefs", "num_forks", "num_pending_users");
    }

    private static void act(
            WorkerGroup group,
            ReferenceProgram program,
            ReferenceProgram.Action action,
            Map<Integer, Integer> open) {
        if (open.isEmpty()) {
            return;
        }
        Rpc rpc = group.rpc(0);
        int key = new ArrayList<>(open.keySet()).get(action.handle() % open.size());
        String holder = "worker" + open.get(key);
        switch (action.kind()) {
            case FORK -> {
                int forked = (int) group.nextNumber();
                rpc.runSync(
                        holder, PropertyFunctions::passOn, key, "worker" + action.worker(), forked);
                open.put(forked, action.worker());
            }
            case READ ->
                    assertEquals(
                            program.value(), rpc.rpcSync(holder, PropertyFunctions::read, key));
            case CLOSE -> {
                rpc.runSync(holder, PropertyFunctions::drop, key);
                open.remove(key);
            }
        }
    }

    /**
     * I-7: a timeout ends its own call in time; without a timeout a call does not end; late replies
     * are dropped.
     */
    public static void timeoutsEndTheirCallsOnly(WorkerGroup group, TimeoutProgram program) {
        Rpc rpc = group.rpc(0);
        List<Long> keys = new ArrayList<>();
        List<RpcFuture<Long>> futures = new ArrayList<>();
        for (TimeoutProgram.Call call : program.calls()) {
            long key = group.nextNumber();
            Duration timeout = Duration.ofMillis(20L + call.timeoutMillis());
            RpcCalls calls = call.endless() ? rpc.withoutTimeout() : rpc.withTimeout(timeout);
            keys.add(key);
            futures.add(
                    calls.rpcAsync("worker" + call.worker(), PropertyFunctions::afterGate, key));
        }
        for (int i = 0; i < keys.size(); i++) {
            if (!program.calls().get(i).endless()) {
                RpcFuture<Long> future = futures.get(i);
                assertThrows(RpcTimeoutException.class, () -> future.join(PATIENCE));
                assertTrue(future.isDone(), "the call itself did not end with its timeout");
            }
        }
        for (int i = 0; i < keys.size(); i++) {
            TimeoutProgram.Call call = program.calls().get(i);
            assertFalse(call.endless() && futures.get(i).isDone(), "a call without timeout ended");
            rpc.runSync("worker" + call.worker(), PropertyFunctions::openGate, keys.get(i));
        }
        for (int i = 0; i < keys.size(); i++) {
            RpcFuture<Long> future = futures.get(i);
            if (program.calls().get(i).endless()) {
                assertEquals(keys.get(i), future.join(PATIENCE));
            } else {
                assertThrows(RpcTimeoutException.class, future::join);
            }
            int value = i;
            assertEquals(value, rpc.rpcSync("worker1", PropertyFunctions::number, value));
        }
    }

    /** I-9: a value survives a round trip through another worker. */
    public static void valueSurvivesTheWire(WorkerGroup group, ValuePlan plan) {
        Rpc rpc = group.rpc(0);
        Object sent = plan.build(group);
        Object got = rpc.rpcSync("worker1", PropertyFunctions::echo, sent);
        new SameValue(rpc).check(sent, got);
    }

    /** A successful call has run once, a failed one at most once, and neither leaves anything. */
    public static void retriedCallsRunOnce(WorkerGroup group, RetryProgram program)
            throws Exception {
        var run = new RetryRun(group);
        run.run(program);
        eventuallyZero(
                group,
                "agent.client_active_calls",
                "agent.server_active_calls",
                "num_retried_calls",
                "num_cached_replies",
                "num_cached_reply_bytes");
        run.assertRunsAtTheEnd();
    }

    static void eventuallyZero(WorkerGroup group, String... metrics) {
        for (int rank = 0; rank < group.size(); rank++) {
            eventuallyZero(group.rpc(rank), metrics);
        }
    }

    static void eventuallyZero(Rpc rpc, String... metrics) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (String metric : metrics) {
            while (!"0".equals(rpc.debugInfo().get(metric))) {
                assertTrue(
                        System.nanoTime() < deadline,
                        () ->
                                "%s: %s=%s"
                                        .formatted(
                                                rpc.self(), metric, rpc.debugInfo().get(metric)));
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }
}
