package org.gradwire.tensor.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.Promotion;

import java.util.SplittableRandom;

/** Laws of types and of tests of elements. jqwik prints the seed of a failure. */
class TypePropertiesTest {

    /** Small numbers, so that all types but bool hold them and many are equal. */
    private static Tensor some(DType dtype, long seed, int... shape) {
        long[] numbers = new SplittableRandom(seed).longs(Shapes.count(shape), -3, 4).toArray();
        return Tensor.of(numbers, shape).to(dtype);
    }

    private static Tensor operand(DType dtype, boolean dimensions) {
        return dimensions ? Tensor.ones(dtype, 1) : Tensor.ones(dtype);
    }

    @Property
    void promotionIsCommutative(
            @ForAll DType a, @ForAll DType b, @ForAll boolean first, @ForAll boolean second) {
        assertEquals(a.promote(b), b.promote(a));
        assertEquals(
                Promotion.of(operand(a, first), operand(b, second)),
                Promotion.of(operand(b, second), operand(a, first)));
    }

    @Property
    void promotionOfTypesIsAssociativeAndHoldsBoth(
            @ForAll DType a, @ForAll DType b, @ForAll DType c) {
        assertEquals(a.promote(b).promote(c), a.promote(b.promote(c)));
        assertEquals(a, a.promote(a));
        assertTrue(a.canCast(a.promote(b)));
    }

    @Property
    void sumsOfOperandsWithDimensionsDoNotDependOnTheirOrder(
            @ForAll DType a, @ForAll DType b, @ForAll DType c, @ForAll long seed) {
        Tensor x = some(a, seed, 5);
        Tensor y = some(b, seed + 1, 5);
        Tensor z = some(c, seed + 2, 5);
        assertEquals(x.add(y).add(z).dtype(), z.add(y.add(x)).dtype());
        assertTrue(x.add(y).equal(y.add(x)));
        assertTrue(x.mul(y).equal(y.mul(x)));
    }

    @Property
    void aWiderTypeGivesBackWhatItGot(@ForAll DType from, @ForAll DType to, @ForAll long seed) {
        Tensor x = some(from, seed, 3, 40);
        if (from.canCast(to)) {
            assertTrue(x.to(to).to(from).equal(x));
        }
        assertArrayEquals(x.t().to(to).toDoubleArray(), x.to(to).t().toDoubleArray());
        assertArrayEquals(x.toBooleanArray(), x.to(to).toBooleanArray());
    }

    @Property
    void castsAreThoseOfJava(
            @ForAll int whole,
            @ForAll long wide,
            @ForAll @DoubleRange(min = -1e9, max = 1e9) double x) {
        assertEquals(whole, Tensor.scalar(whole).to(DType.INT32).itemAsLong());
        assertEquals((float) whole, Tensor.scalar(DType.INT32, whole).to(DType.FLOAT32).item());
        assertArrayEquals(new int[] {(int) wide}, Tensor.of(wide).toIntArray());
        assertEquals((double) wide, Tensor.scalar(wide).to(DType.FLOAT64).item());
        assertArrayEquals(new int[] {(int) x}, Tensor.of(x).toIntArray());
        assertArrayEquals(new long[] {(long) x}, Tensor.of(x).toLongArray());
    }

    @Property
    void relationsAgreeWithEachOther(
            @ForAll DType a,
            @ForAll DType b,
            @ForAll @IntRange(max = 40) int n,
            @ForAll boolean broadcast,
            @ForAll long seed) {
        Tensor x = some(a, seed, 2, n);
        Tensor y = broadcast ? some(b, seed + 1, 2, 1) : some(b, seed + 1, 2, n);
        assertTrue(x.lt(y).equal(y.gt(x)));
        assertTrue(x.le(y).equal(y.ge(x)));
        assertTrue(x.ne(y).equal(x.eq(y).logicalNot()));
        assertTrue(x.ge(y).equal(x.lt(y).logicalNot()));
        assertTrue(x.le(y).equal(x.lt(y).logicalOr(x.eq(y))));
        Tensor one = x.lt(y).to(DType.INT64).add(x.eq(y)).add(x.gt(y));
        assertTrue(one.eq(1).all().itemAsBoolean());
    }

    @Property
    void nanIsUnrelatedToEverything(@ForAll double number) {
        Tensor nan = Tensor.of(Double.NaN);
        Tensor other = Tensor.of(number);
        for (Tensor test :
                new Tensor[] {
                    nan.eq(other), nan.lt(other), nan.le(other), nan.gt(other), nan.ge(other)
                }) {
            assertTrue(test.equal(Tensor.of(false)));
        }
        assertTrue(nan.ne(nan).equal(Tensor.of(true)));
    }

    @Property
    void testsOfAllAreTestsOfNoneThatIsNot(
            @ForAll @IntRange(max = 4) int rows,
            @ForAll @IntRange(max = 4) int columns,
            @ForAll @IntRange(max = 1) int dim,
            @ForAll long seed) {
        Tensor x = some(DType.BOOL, seed, rows, columns);
        assertTrue(x.all().equal(x.logicalNot().any().logicalNot()));
        assertTrue(x.all(dim, true).equal(x.logicalNot().any(dim, true).logicalNot()));
        assertTrue(x.any(dim, false).any().equal(x.any()));
        assertTrue(x.all(dim, false).all().equal(x.all()));
        assertTrue(x.any(dim, false).equal(x.sum(dim).gt(0)));
    }

    @Property
    void selectingAndCountingAgree(
            @ForAll DType dtype,
            @ForAll @IntRange(max = 50) int rows,
            @ForAll @IntRange(max = 50) int columns,
            @ForAll long seed) {
        Tensor x = some(dtype, seed, rows, columns).t();
        Tensor mask = some(DType.BOOL, seed + 1, columns, rows);
        Tensor chosen = x.maskedSelect(mask);
        assertEquals(mask.sum().itemAsLong(), chosen.numel());
        assertTrue(chosen.equal(x.copy().maskedSelect(mask)));
        assertTrue(chosen.sum().equal(x.where(mask, 0).sum().to(chosen.sum().dtype())));
        Tensor kept = Tensor.ones(DType.FLOAT64, columns, rows).requiresGrad(true);
        kept.maskedSelect(mask).sum().backward();
        assertTrue(mask.to(DType.FLOAT64).equal(kept.grad() == null ? kept : kept.grad()));
        assertEquals(x.nonzero().size(0), x.ne(0).sum().itemAsLong());
    }
}
