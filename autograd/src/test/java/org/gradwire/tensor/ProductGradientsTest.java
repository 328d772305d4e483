package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.kernel.NativeMemory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * The gradients of large products, which are computed at the same time, are those of small ones.
 */
class ProductGradientsTest {
    private static final int ROWS = 128;
    private static final int COLUMNS = 192;
    private static final int INNER = 160;

    private final Random random = new Random(7);
    private final NativeMemory pool = requireNonNull(NativeMemory.installed());

    private Tensor matrix(int rows, int columns) {
        return Tensor.rand(random, rows, columns);
    }

    private static void assertProduct(Tensor left, Tensor right, @Nullable Tensor actual) {
        assertTrue(left.mm(right).equal(requireNonNull(actual)));
    }

    private static void assertGradients(Tensor a, Tensor b, Tensor flow) {
        assertProduct(flow, b.detach().transpose(0, 1), a.grad());
        assertProduct(a.detach().transpose(0, 1), flow, b.grad());
    }

    @Test
    void ofMm() {
        Tensor a = matrix(ROWS, INNER).requiresGrad(true);
        Tensor b = matrix(INNER, COLUMNS).requiresGrad(true);
        Tensor flow = matrix(ROWS, COLUMNS);
        a.mm(b).backward(flow);
        assertGradients(a, b, flow);
    }

    @Test
    void ofOneOperandOnly() {
        Tensor a = matrix(ROWS, INNER).requiresGrad(true);
        Tensor b = matrix(INNER, COLUMNS);
        Tensor flow = matrix(ROWS, COLUMNS);
        a.mm(b).backward(flow);
        assertProduct(flow, b.transpose(0, 1), a.grad());
        assertNull(b.grad());
    }

    @Test
    void ofLinearWithRowsOfRows() {
        Tensor x = Tensor.rand(random, 4, ROWS, INNER).requiresGrad(true);
        Tensor weight = matrix(COLUMNS, INNER).requiresGrad(true);
        Tensor bias = Tensor.rand(random, COLUMNS).requiresGrad(true);
        Tensor flow = Tensor.rand(random, 4, ROWS, COLUMNS);
        Ops.linear(x, weight, bias).backward(flow);
        Tensor rows = flow.reshape(4 * ROWS, COLUMNS);
        assertProduct(rows, weight.detach(), requireNonNull(x.grad()).reshape(4 * ROWS, INNER));
        assertProduct(rows.transpose(0, 1), x.detach().reshape(4 * ROWS, INNER), weight.grad());
        assertTrue(rows.sum(0).allclose(requireNonNull(bias.grad())));
    }

    @Test
    void ofMemoryThatOnlyThisThreadMayUse() {
        try (Arena own = Arena.ofConfined()) {
            Tensor a = wrapped(own, ROWS, INNER).requiresGrad(true);
            Tensor b = wrapped(own, INNER, COLUMNS).requiresGrad(true);
            Tensor flow = matrix(ROWS, COLUMNS);
            a.mm(b).backward(flow);
            assertGradients(a, b, flow);
        }
    }

    private Tensor wrapped(Arena arena, int rows, int columns) {
        MemorySegment memory = arena.allocate(4L * rows * columns, 64);
        Tensor wrapped = Tensor.wrap(DType.FLOAT32, memory, rows, columns);
        wrapped.asSegment().copyFrom(matrix(rows, columns).asSegment());
        return wrapped;
    }

    @Test
    void areGivenBackWithTheScopeTheyWereMadeIn() {
        Tensor a = matrix(ROWS, INNER).requiresGrad(true);
        Tensor b = matrix(INNER, COLUMNS).requiresGrad(true);
        long before = pool.bytesInUse();
        try (var _ = TensorScope.open()) {
            a.mm(b).backward(matrix(ROWS, COLUMNS));
            a.grad(null);
            b.grad(null);
        }
        assertEquals(before, pool.bytesInUse());
    }
}
