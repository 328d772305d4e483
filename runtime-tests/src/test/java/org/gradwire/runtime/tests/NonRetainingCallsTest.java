package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.tests.functions.NonRetainingFunctions;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;

/** The memory of non-retaining calls is freed at their end, and not before. */
@Timeout(120)
class NonRetainingCallsTest {
    private static final int ROWS = 300; // large enough to be off-heap
    private static final long BYTES = 4L * ROWS * ROWS;
    private static final int CALLS = 30;
    private static final String PEER = "worker1";
    private static final String RELEASED = "memory was released";

    private static Tensor full(double value) {
        return Tensor.zeros(ROWS, ROWS).add(value);
    }

    /** Wait, since a call ends on the callee after its reply was sent. */
    private static void awaitFreed(int count, Rpc rpc) {
        List<String> kept =
                Metrics.await(
                        () -> rpc.rpcSync(PEER, NonRetainingFunctions::kept),
                        texts -> texts.stream().allMatch(text -> text.contains(RELEASED)));
        assertEquals(count, kept.size());
        rpc.runSync(PEER, NonRetainingFunctions::forget);
    }

    private static long bytesInUse(Rpc rpc) {
        return Long.parseLong(requireNonNull(rpc.debugInfo().get("native_tensor_bytes")));
    }

    @Test
    void argumentsAndTemporariesAreFreedAfterTheReply() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor result = rpc.rpcSync(PEER, NonRetainingFunctions::doubled, full(3));
                    awaitFreed(3, rpc);
                    assertTrue(result.equal(full(6)));
                });
    }

    @Test
    void withoutTheMarkMemoryIsNotFreed() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor result =
                            rpc.rpcSync(PEER, NonRetainingFunctions::doubledAndKept, full(3));
                    assertEquals(
                            List.of("3.0", "6.0", "6.0"),
                            rpc.rpcSync(PEER, NonRetainingFunctions::kept));
                    assertTrue(result.equal(full(6)));
                });
    }

    @Test
    void failureFreesMemoryToo() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Exception failure =
                            assertThrows(
                                    IllegalArgumentException.class,
                                    () ->
                                            rpc.rpcSync(
                                                    PEER, NonRetainingFunctions::failing, full(1)));
                    assertTrue(String.valueOf(failure.getMessage()).contains("not today"));
                    awaitFreed(1, rpc);
                });
    }

    @Test
    void resultThatStaysOnTheCalleeIsNotFreed() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (RRef<Tensor> result =
                            rpc.remote(PEER, NonRetainingFunctions::doubled, full(3))) {
                        assertTrue(result.toHere().equal(full(6)));
                        assertEquals(
                                List.of("3.0", "6.0", "6.0"),
                                rpc.rpcSync(PEER, NonRetainingFunctions::kept));
                        assertTrue(result.toHere().equal(full(6)));
                    }
                });
    }

    /** Repeated, since the result may be completed before or after the function returns. */
    @Test
    void asynchronousFunctionKeepsItsMemory() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    for (int i = 0; i < 20; i++) {
                        RpcFuture<Tensor> result =
                                rpc.rpcAsync(
                                        PEER,
                                        RpcFunction.async(NonRetainingFunctions::doubledLater),
                                        full(3));
                        rpc.runSync(PEER, NonRetainingFunctions::awaitUnfinished);
                        rpc.runSync(PEER, NonRetainingFunctions::finish);
                        assertTrue(result.join().equal(full(6)));
                    }
                });
    }

    @Test
    void memoryDoesNotAccumulate() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    assertHolds(rpc, 4, NonRetainingFunctions::echo);
                    assertHolds(rpc, 4, Ops::tanh);
                });
    }

    /** Call a function repeatedly; afterwards at most the given number of tensors may be in use. */
    private static void assertHolds(Rpc rpc, int most, Function1<Tensor, Tensor> function) {
        Tensor x = full(0);
        long before = bytesInUse(rpc);
        for (int i = 0; i < CALLS; i++) {
            try (var scope = TensorScope.open()) {
                assertEquals(0, scope.add(rpc.rpcSync(PEER, function, x)).sum().item());
            }
        }
        long held = (bytesInUse(rpc) - before) / BYTES;
        assertTrue(held <= most, held + " tensors are held after " + CALLS + " calls");
    }

    /** Freed memory is used for the next message immediately. */
    @Test
    void contentsSurviveManyConcurrentCalls() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Queue<RpcFuture<Tensor>> pending = new ArrayDeque<>();
                    for (int i = 0; i < 20 * CALLS; i++) {
                        pending.add(rpc.rpcAsync(PEER, NonRetainingFunctions::echo, full(i)));
                        pending.add(rpc.rpcAsync(PEER, Ops::neg, full(i)));
                        if (pending.size() == 16) {
                            assertEcho(i - 7, pending);
                        }
                    }
                });
    }

    private static void assertEcho(int value, Queue<RpcFuture<Tensor>> pending) {
        try (var scope = TensorScope.open()) {
            assertTrue(scope.add(pending.remove().join()).equal(full(value)));
            assertTrue(scope.add(pending.remove().join()).equal(full(-value)));
        }
    }

    @Test
    void contextFreesMemoryWhenItIsReleased() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor weight = Tensor.eye(ROWS).requiresGrad(true);
                    Tensor expected = expectedGradient();
                    for (int round = 0; round < 5; round++) {
                        Tensor gradient = gradient(rpc, weight);
                        ContextReleases.awaitNothing(rpc, PEER);
                        awaitFreed(3, rpc);
                        assertTrue(gradient.allclose(expected, 1e-5, 1e-6), "round " + round);
                    }
                });
    }

    private static Tensor gradient(Rpc rpc, Tensor weight) {
        try (var scope = TensorScope.open();
                AutogradContext context = DistAutograd.context(rpc)) {
            Tensor h = full(0.5);
            for (int layer = 0; layer < 3; layer++) {
                h = scope.add(rpc.rpcSync(PEER, NonRetainingFunctions::layer, h, weight));
            }
            context.backward(h.sum());
            return requireNonNull(context.gradients().get(weight));
        }
    }

    private static Tensor expectedGradient() {
        Tensor weight = Tensor.eye(ROWS).requiresGrad(true);
        Tensor h = full(0.5);
        for (int layer = 0; layer < 3; layer++) {
            h = h.matmul(weight).tanh();
        }
        h.sum().backward();
        return requireNonNull(weight.grad());
    }

    /** Repeated, since the call may end on the callee before or after the pass has failed. */
    @Test
    void failedPassLeavesTheMemoryToTheCollector() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    for (int i = 0; i < 20; i++) {
                        failPass(rpc);
                        ContextReleases.awaitNothing(rpc, PEER);
                        assertEquals(
                                List.of("2.0"), rpc.rpcSync(PEER, NonRetainingFunctions::kept));
                        rpc.runSync(PEER, NonRetainingFunctions::forget);
                    }
                });
    }

    private static void failPass(Rpc rpc) {
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor x = full(2).requiresGrad(true);
            Tensor loss = rpc.rpcSync(PEER, NonRetainingFunctions::withoutGradient, x).sum();
            RuntimeException failure =
                    assertThrows(RuntimeException.class, () -> context.backward(loss));
            assertTrue(
                    String.valueOf(failure.getMessage()).contains("no gradient today"),
                    failure::toString);
        }
    }

    /** The pass may use memory that its context would free. */
    @Test
    void releaseDuringAPassDoesNotFreeItsMemory() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    long seed = 11;
                    System.out.println("seed " + seed);
                    var random = new SplittableRandom(seed);
                    int failed = 0;
                    for (int i = 0; i < 60; i++) {
                        failed += passEnds(rpc, random.nextInt(0, 20_000_000)) ? 0 : 1;
                    }
                    System.out.println(failed + " of 60 passes were ended by the release");
                    ContextReleases.awaitNothing(rpc, PEER);
                });
    }

    /** Release a context some time after its pass started; {@return whether the pass had ended} */
    private static boolean passEnds(Rpc rpc, int nanos) throws Exception {
        AutogradContext context = DistAutograd.context(rpc); // closed by the other thread
        Tensor weight = Tensor.eye(ROWS).requiresGrad(true);
        List<Tensor> results = new ArrayList<>(List.of(full(0.5)));
        for (int layer = 0; layer < 3; layer++) {
            results.add(rpc.rpcSync(PEER, NonRetainingFunctions::layer, results.getLast(), weight));
        }
        Tensor loss = results.getLast().sum();
        return ContextReleases.releaseInPass(context, loss, nanos);
    }
}
