package org.gradwire.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Types of results under automatic mixed precision, and gradients through it. */
class AutocastTest {
    private final Random random = new Random(7);

    private Tensor numbers(int... shape) {
        return Tensor.rand(random, shape);
    }

    private Tensor parameter(int... shape) {
        return numbers(shape).requiresGrad(true);
    }

    private static Tensor gradient(Tensor x) {
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        return gradient;
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16"})
    void productsAreReducedAndSensitiveFunctionsAreNot(DType dtype) {
        Tensor x = numbers(3, 4);
        Tensor w = parameter(4, 5);
        try (var _ = Autocast.enable(dtype)) {
            Tensor product = x.mm(w);
            assertEquals(dtype, product.dtype());
            assertEquals(dtype, product.relu().dtype());
            assertEquals(dtype, Ops.linear(x, w.t(), parameter(5)).dtype());
            assertEquals(dtype, Ops.einsum("ij,jk->ik", List.of(x, w)).dtype());
            assertEquals(DType.FLOAT32, product.softmax(1).dtype());
            assertEquals(DType.FLOAT32, product.sum().dtype());
            assertEquals(DType.FLOAT32, product.crossEntropy(Tensor.of(0L, 1L, 2L)).dtype());
            assertEquals(DType.FLOAT32, Ops.cat(List.of(product, x), 1).dtype());
            assertEquals(dtype, Ops.cat(List.of(product, product), 1).dtype());
        }
        assertEquals(DType.FLOAT32, x.mm(w).dtype());
    }

    @Test
    void wideAndWholeNumbersAreLeft() {
        Tensor wide = numbers(3, 3).to(DType.FLOAT64);
        try (var _ = Autocast.enable(DType.BFLOAT16)) {
            assertEquals(DType.FLOAT64, wide.mm(wide).dtype());
            assertEquals(DType.FLOAT64, wide.softmax(0).dtype());
            assertEquals(DType.INT64, Tensor.of(1L, 2L).sum().dtype());
            Tensor changed = numbers(2);
            changed.add_(Tensor.ones(2).to(DType.BFLOAT16));
            assertEquals(DType.FLOAT32, changed.dtype());
        }
    }

    @Test
    void gradientsAreThoseOfTheConversions() {
        Tensor x = parameter(6, 8);
        Tensor w = parameter(8, 3);
        Tensor loss;
        try (var _ = Autocast.enable(DType.BFLOAT16)) {
            loss = x.mm(w).square().sum();
        }
        assertEquals(DType.FLOAT32, loss.dtype());
        loss.backward();
        Tensor byHandX = x.detach().clone().requiresGrad(true);
        Tensor byHandW = w.detach().clone().requiresGrad(true);
        Tensor product = byHandX.to(DType.BFLOAT16).mm(byHandW.to(DType.BFLOAT16));
        product.to(DType.FLOAT32).square().sum().backward();
        assertEquals(DType.FLOAT32, gradient(w).dtype());
        assertArrayEquals(gradient(byHandX).toDoubleArray(), gradient(x).toDoubleArray());
        assertArrayEquals(gradient(byHandW).toDoubleArray(), gradient(w).toDoubleArray());
    }

    @Test
    void aParameterIsConvertedOnceInAScope() {
        Tensor x = numbers(2, 2);
        Tensor w = parameter(2, 2);
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            Node first = conversion(x.mm(w));
            assertSame(first, conversion(x.mm(w)));
            try (var _ = GradMode.noGrad()) {
                w.add_(1);
                assertEquals(Optional.empty(), Optional.ofNullable(x.mm(w).gradFn()));
            }
            Node second = conversion(x.mm(w));
            assertNotSame(first, second);
            assertEquals("ToCopyBackward0", second.name());
        }
        assertArrayEquals(
                x.to(DType.FLOAT16).mm(w.detach().to(DType.FLOAT16)).toDoubleArray(),
                inScope(x, w).toDoubleArray());
    }

    private static Tensor inScope(Tensor x, Tensor w) {
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            return x.mm(w).detach();
        }
    }

    private static Node conversion(Tensor product) {
        Node node = product.gradFn();
        assertNotNull(node);
        return node.nextEdges().getLast().node();
    }

    @Test
    void backwardInAScopeConvertsNothing() {
        Tensor x = parameter(3, 4);
        Tensor y = x.detach().clone().requiresGrad(true);
        Tensor weight = numbers(4, 4);
        x.exp().mm(weight).sum().backward();
        Tensor loss = y.exp().mm(weight).sum();
        try (var _ = Autocast.enable(DType.BFLOAT16)) {
            loss.backward();
            assertEquals(Optional.of(DType.BFLOAT16), Autocast.dtype());
        }
        assertArrayEquals(gradient(x).toDoubleArray(), gradient(y).toDoubleArray());
    }

    @Test
    void aCopyOfAParameterOutlivesScopesOfMemoryWithin() {
        Tensor x = numbers(300, 300);
        Tensor w = parameter(300, 300);
        double[] sums = new double[2];
        try (var _ = TensorScope.open();
                var _ = Autocast.enable(DType.BFLOAT16)) {
            for (int i = 0; i < 2; i++) {
                try (var _ = TensorScope.open()) {
                    sums[i] = x.mm(w).sum().item();
                }
            }
        }
        assertEquals(sums[0], sums[1]);
    }

    @Test
    void changesInPlaceAndReducedTensorsOfAnotherTypeAreLeft() {
        Tensor large = Tensor.of(1e6f, 2e6f).to(DType.BFLOAT16);
        double[] before = large.toDoubleArray();
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            Tensor both = Ops.cat(List.of(large, large), 0);
            assertEquals(DType.BFLOAT16, both.dtype());
            Tensor mixed = Ops.cat(List.of(large, Tensor.ones(1).to(DType.FLOAT16)), 0);
            assertEquals(DType.FLOAT32, mixed.dtype());
            large.scatterAdd_(0, Tensor.of(0L), Tensor.zeros(1).to(DType.BFLOAT16));
        }
        assertArrayEquals(before, large.toDoubleArray());
    }

    @Test
    void squaresOfProductsDoNotOverflow() {
        Tensor x = Tensor.full(300f, 1, 1);
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            assertEquals(90_000, x.mm(Tensor.ones(1, 1)).square().sum().item());
        }
    }

    @Test
    void scopesNest() {
        Tensor x = numbers(2, 2);
        assertEquals(Optional.empty(), Autocast.dtype());
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            try (var _ = Autocast.disable()) {
                assertEquals(DType.FLOAT32, x.mm(x).dtype());
            }
            try (var _ = Autocast.enable(DType.BFLOAT16)) {
                assertEquals(DType.BFLOAT16, x.mm(x).dtype());
            }
            assertEquals(DType.FLOAT16, x.mm(x).dtype());
        }
        assertEquals(Optional.empty(), Autocast.dtype());
    }

    @Test
    void whatCannotWorkIsRefused() {
        var e = assertThrows(IllegalArgumentException.class, () -> Autocast.enable(DType.FLOAT32));
        assertEquals("autocast to float32; expected float16 or bfloat16", e.getMessage());
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            assertThrows(
                    IllegalStateException.class,
                    () -> Ops.bceLoss(numbers(2), numbers(2), null, "mean"));
        }
        assertEquals(Optional.empty(), Autocast.dtype());
    }
}
