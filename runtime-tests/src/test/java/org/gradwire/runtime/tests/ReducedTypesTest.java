package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.SplittableRandom;

/** Tensors of float16 and bfloat16, and their gradients, between workers. */
@Timeout(60)
class ReducedTypesTest {

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16"})
    void tensorsTravelWithTypeAndStrides(DType dtype) throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var random = new SplittableRandom(11);
                    Tensor small = Tensor.randn(random, dtype, 2, 3);
                    Tensor large = Tensor.randn(random, dtype, 500, 400);
                    for (Tensor sent :
                            List.of(
                                    small,
                                    small.t(),
                                    small.narrow(1, 1, 1),
                                    small.select(0, 1).expand(4, 3),
                                    large,
                                    large.t(),
                                    large.narrow(1, 3, 300))) {
                        Tensor back = rpc.rpcSync("worker1", Ops::detach, sent);
                        assertEquals(dtype, back.dtype());
                        assertArrayEquals(sent.strides(), back.strides());
                        assertTrue(sent.equal(back));
                    }
                    Tensor sparse = small.toSparse();
                    Tensor back = rpc.rpcSync("worker1", Ops::detach, sparse);
                    assertTrue(sparse.equal(back));
                });
    }

    @ParameterizedTest
    @EnumSource(BackwardMode.class)
    void gradientsOverThreeWorkersAreThoseOfOne(BackwardMode mode) throws Exception {
        InprocGroup.runFirst(3, rpc -> checkGradients(rpc, mode));
    }

    private static void checkGradients(Rpc rpc, BackwardMode mode) throws Exception {
        var random = new SplittableRandom(12);
        Tensor a = Tensor.randn(random, DType.BFLOAT16, 8, 5).requiresGrad(true);
        Tensor b = Tensor.randn(random, DType.BFLOAT16, 5).requiresGrad(true);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor remote = rpc.rpcSync("worker1", Products::elsewhere, a, b, "worker2");
            assertEquals(DType.BFLOAT16, remote.dtype());
            Tensor local = a.mul(b).tanh();
            assertTrue(local.equal(remote));
            context.backward(new BackwardOptions(mode, false), remote.mul(remote).sum());
            local.mul(local).sum().backward();
            for (Tensor leaf : List.of(a, b)) {
                Tensor expected = leaf.grad();
                Tensor actual = context.gradients().get(leaf);
                assertNotNull(expected);
                assertNotNull(actual);
                assertEquals(DType.BFLOAT16, actual.dtype());
                assertTrue(expected.equal(actual));
            }
        }
    }
}
