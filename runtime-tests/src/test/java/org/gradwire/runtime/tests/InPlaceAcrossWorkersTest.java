package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.functions.Tensors;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In-place changes of arguments by functions on other workers, and on the caller. */
@Timeout(60)
class InPlaceAcrossWorkersTest {

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1"})
    void aFunctionThatChangesRowsOfItsArgumentHasGradients(String callee) {
        try (var group = new InprocWorkers(2);
                AutogradContext context = DistAutograd.context(group.get(0))) {
            Rpc rpc = group.get(0);
            Tensor w = Tensor.of(new float[][] {{1, 2}, {3, 4}}).requiresGrad(true);
            Tensor factor = Tensor.of(5f).requiresGrad(true);
            Tensor sent = w.mul(1);
            Tensor result = rpc.rpcSync(callee, Tensors::scaleFirstRow, sent, factor);
            context.backward(result.mul(Tensor.of(new float[][] {{1, 10}, {100, 1000}})).sum());
            assertGradient(context, w, new float[][] {{5, 50}, {100, 1000}});
            assertGradient(context, factor, new float[][] {{1 + 20}});
        }
    }

    private static void assertGradient(AutogradContext context, Tensor leaf, float[][] expected) {
        Tensor found = requireNonNull(context.gradients().get(leaf));
        Tensor wanted = Tensor.of(expected);
        assertTrue(found.equal(wanted.view(leaf.shape())), () -> found + " is not " + wanted);
    }

    @Test
    void resultChangedInPlaceByTheCallerHasGradients() {
        try (var group = new InprocWorkers(2);
                AutogradContext context = DistAutograd.context(group.get(0))) {
            Rpc rpc = group.get(0);
            Tensor w = Tensor.of(new float[][] {{1, 2}, {3, 4}}).requiresGrad(true);
            Tensor result = rpc.rpcSync("worker1", Tensors::scaleFirstRow, w.mul(1), Tensor.of(2f));
            result.select(1, 0).zero_();
            context.backward(result.sum());
            assertGradient(context, w, new float[][] {{0, 2}, {0, 1}});
        }
    }

    /** A function on the caller's worker has a copy too. */
    @Test
    void callersTensorIsNotChanged() {
        try (var group = new InprocWorkers(2);
                AutogradContext _ = DistAutograd.context(group.get(0))) {
            Rpc rpc = group.get(0);
            Tensor w = Tensor.ones(2, 2).requiresGrad(true);
            Tensor scaled = rpc.rpcSync("worker0", Tensors::scaleFirstRow, w, Tensor.of(2f));
            assertEquals(6, scaled.sum().item());
            assertEquals(4, w.sum().item());
        }
    }
}
