package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Backward passes from the value of a reference, started by workers in its context. */
@Timeout(60)
class ReferenceBackwardTest {

    /**
     * A context is recorded on workers whose calls in it have tensors: here worker0 and worker1.
     */
    @ParameterizedTest
    @CsvSource({"worker0, FAST", "worker1, FAST", "worker0, SMART", "worker1, SMART"})
    void anyUserInTheContextCanStartIt(String holder, BackwardMode mode) throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
                    try (var context = DistAutograd.context(rpc);
                            RRef<Tensor> root = rpc.remote("worker1", Products::sumOfSquares, w)) {
                        begin(rpc, holder, context, root, mode);
                        Map<Tensor, Tensor> gradients = context.gradients();
                        assertEquals(1, gradients.size());
                        assertArrayEquals(
                                new float[] {2, 4},
                                Objects.requireNonNull(gradients.get(w)).toFloatArray());
                    }
                });
    }

    private static void begin(
            Rpc rpc, String holder, AutogradContext context, RRef<Tensor> root, BackwardMode mode) {
        rpc.runSync(holder, Products::backward, context.id(), root, mode == BackwardMode.SMART);
    }

    @ParameterizedTest
    @EnumSource
    void userOutsideOfTheContextCannotStartIt(BackwardMode mode) throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
                    try (var context = DistAutograd.context(rpc);
                            RRef<Tensor> root = rpc.remote("worker1", Products::sumOfSquares, w)) {
                        String id = Long.toString(context.id());
                        var failure =
                                assertThrows(
                                        RuntimeException.class,
                                        () ->
                                                outside(() ->
                                                        begin(
                                                                rpc, "worker2", context, root,
                                                                mode)));
                        assertTrue(
                                String.valueOf(failure.getMessage()).contains(id),
                                failure::toString);
                        assertTrue(context.gradients().isEmpty());
                    }
                });
    }

    /** Make a call on a thread outside of contexts, so that it does not bring one to the callee. */
    private static void outside(Runnable call) {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            CompletableFuture.runAsync(call, thread).join();
        }
    }
}
