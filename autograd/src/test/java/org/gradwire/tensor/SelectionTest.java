package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.SplittableRandom;

/** Comparisons and selections that the samples of their rows do not cover. */
class SelectionTest {

    @Test
    void conditionsReadWell() {
        Tensor x = Tensor.of(-1.0, 0.5, 2);
        assertTrue(x.gt(0).logicalAnd(x.lt(1)).equal(Tensor.of(false, true, false)));
        assertTrue(x.where(x.ge(0), 0).equal(Tensor.of(0.0, 0.5, 2)));
        assertTrue(Ops.where(x.ge(0), x, x.neg()).equal(Tensor.of(1.0, 0.5, 2)));
        assertTrue(x.maskedSelect(x.ne(0.5)).equal(Tensor.of(-1.0, 2)));
        assertTrue(x.gt(5).nonzero().equal(Tensor.zeros(DType.INT64, 0, 1)));
        assertTrue(x.isfinite().all().itemAsBoolean());
        assertFalse(x.eq(x.add(1)).any().itemAsBoolean());
    }

    @Test
    void testsHaveNoGradient() {
        Tensor x = Tensor.of(1.0, 2).requiresGrad(true);
        assertFalse(x.gt(1).requiresGrad());
        assertFalse(x.logicalNot().requiresGrad());
        assertFalse(x.nonzero().requiresGrad());
    }

    @Test
    void branchesThatWereNotTakenGetNoGradientEvenWhereTheirsIsNan() {
        Tensor x = Tensor.of(0.0, 4).requiresGrad(true);
        Ops.where(x.gt(1), x.sqrt(), 7).sum().backward();
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        assertEquals(0.25, gradient.get(1));
        Tensor y = Tensor.of(Double.NaN, 4).requiresGrad(true);
        y.maskedFill(y.isnan(), 0).mul(3).sum().backward();
        assertNotNull(y.grad());
        assertTrue(Tensor.of(0.0, 3).equal(y.grad()));
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void largeTensorsInNativeMemoryAreTestedAndChosenFrom(DType dtype) {
        int rows = 700;
        int columns = 500;
        long[] numbers = new SplittableRandom(5).longs((long) rows * columns, 0, 3).toArray();
        Tensor x = Tensor.of(numbers, rows, columns).to(dtype);
        Tensor mask = x.gt(0);
        assertTrue(mask.storage().isNative());
        int set = 0;
        for (long number : numbers) {
            set += number > 0 ? 1 : 0;
        }
        assertEquals(set, mask.sum().itemAsLong());
        assertEquals(set, mask.t().sum().itemAsLong());
        Tensor selected = x.maskedSelect(mask);
        assertArrayEquals(new int[] {set}, selected.shape());
        assertEquals(x.sum().item(), selected.sum().item());
        Tensor indices = x.nonzero();
        assertArrayEquals(new int[] {set, 2}, indices.shape());
        Tensor flat = indices.select(1, 0).mul(columns).add(indices.select(1, 1));
        assertTrue(flat.equal(x.reshape(-1).nonzero().squeeze(1)));
        assertTrue(x.where(mask, Tensor.zerosLike(x)).equal(x));
        assertTrue(x.t().maskedFill(mask.t(), 0).sum().equal(x.mul(0).sum()));
    }
}
