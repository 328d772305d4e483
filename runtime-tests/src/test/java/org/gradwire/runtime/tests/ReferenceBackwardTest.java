package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.BackwardMode;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A backward pass from the value of a reference, begun by any of its holders. */
@Timeout(60)
class ReferenceBackwardTest {

    @ParameterizedTest
    @CsvSource({
        "worker0, FAST",
        "worker1, FAST",
        "worker2, FAST",
        "worker0, SMART",
        "worker1, SMART",
        "worker2, SMART"
    })
    void anyHolderCanBeginIt(String holder, BackwardMode mode) throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
                    try (var context = DistAutograd.context(rpc);
                            RRef<Tensor> root = rpc.remote("worker1", Products::sumOfSquares, w)) {
                        outside(() ->
                                rpc.runSync(
                                        holder,
                                        Products::backward,
                                        context.id(),
                                        root,
                                        mode == BackwardMode.SMART));
                        Map<Tensor, Tensor> gradients = context.gradients();
                        assertEquals(1, gradients.size());
                        assertArrayEquals(
                                new float[] {2, 4},
                                Objects.requireNonNull(gradients.get(w)).toFloatArray());
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void aContextThatTheOwnerDoesNotKnowIsNamed(BackwardMode mode) throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
                    try (RRef<Tensor> root = rpc.remote("worker1", Products::sumOfSquares, w)) {
                        var failure =
                                assertThrows(
                                        RuntimeException.class,
                                        () -> DistAutograd.backward(mode, 77, root, false));
                        assertTrue(
                                String.valueOf(failure.getMessage()).contains("77"),
                                failure::toString);
                    }
                });
    }

    /** Make a call on a thread that is in no context, so that the callee does not learn of any. */
    private static void outside(Runnable call) throws Exception {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            thread.submit(call).get();
        }
    }
}
