package org.gradwire.tensor;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Tensors of integers and of bool: making, reading, converting, changing, refusing. */
class TypesTest {
    private static final Tensor BOOLS = Tensor.of(true, false);

    private static Tensor ints() {
        return Tensor.of(new int[] {1, 2});
    }

    @Test
    void arraysGiveTensorsOfTheirType() {
        assertEquals(DType.INT32, Tensor.of(new int[] {1, 2}).dtype());
        assertEquals(DType.INT32, Tensor.of(new int[] {1, 2}, 2, 1).dtype());
        assertEquals(DType.INT32, Tensor.of(new int[][] {{1}, {2}}).dtype());
        assertEquals(DType.INT64, Tensor.of(1, 2).dtype());
        assertEquals(DType.BOOL, Tensor.of(true, false).dtype());
        assertEquals(DType.BOOL, Tensor.scalar(true).dtype());
        assertArrayEquals(
                new boolean[] {true, false, false, true},
                Tensor.of(new boolean[][] {{true, false}, {false, true}}).toBooleanArray());
        assertArrayEquals(
                new int[] {1, 2, 3, 4}, Tensor.of(new int[][] {{1, 2}, {3, 4}}).toIntArray());
        assertArrayEquals(new int[] {2, 1}, Tensor.of(new boolean[] {true, false}, 2, 1).shape());
        int[] numbers = {1, 2};
        Tensor copied = Tensor.of(numbers);
        numbers[0] = 9;
        assertEquals(1, copied.getLong(0));
    }

    @Test
    void elementsAreReadAsEachType() {
        assertTrue(BOOLS.getBoolean(0));
        assertFalse(BOOLS.getBoolean(1));
        assertEquals(1, BOOLS.get(0));
        assertEquals(1, BOOLS.getLong(0));
        assertTrue(Tensor.scalar(-0.5).itemAsBoolean());
        assertFalse(Tensor.scalar(-0.0).itemAsBoolean());
        assertTrue(Tensor.scalar(Double.NaN).itemAsBoolean());
        assertEquals(2, ints().select(0, 1).itemAsLong());
        assertArrayEquals(new boolean[] {true, true}, ints().toBooleanArray());
        assertArrayEquals(new int[] {1, -2}, Tensor.of(1.9, -2.9).toIntArray());
        assertFails(
                IllegalStateException.class,
                "a Tensor with 2 elements cannot be converted to Scalar",
                BOOLS::itemAsBoolean);
    }

    @Test
    void typesSayHowLargeTheyAre() {
        assertEquals(4, DType.INT32.bytes());
        assertEquals(1, DType.BOOL.bytes());
        assertFalse(DType.INT32.isFloating());
        assertFalse(DType.BOOL.isFloating());
        assertTrue(DType.INT64.canCast(DType.INT32));
        assertTrue(DType.BOOL.canCast(DType.FLOAT32));
        assertFalse(DType.FLOAT32.canCast(DType.INT64));
        assertFalse(DType.INT32.canCast(DType.BOOL));
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void factoriesMakeAllTypes(DType dtype) {
        assertArrayEquals(new double[] {0, 0}, Tensor.zeros(dtype, 2).toDoubleArray());
        assertArrayEquals(new double[] {1, 1}, Tensor.ones(dtype, 2).toDoubleArray());
        assertEquals(dtype == DType.BOOL ? 1 : 3, Tensor.full(dtype, 3).item());
        assertEquals(dtype, Tensor.onesLike(Tensor.zeros(dtype, 2)).dtype());
        int many = 300_000; // in native memory
        Tensor large = Tensor.ones(dtype, many);
        DType ofSum = dtype.opmath(); // 16 bits hold less
        assertEquals(many, large.to(ofSum).sum().item());
        assertEquals(many - 2, large.narrow(0, 1, many - 2).copy().to(ofSum).sum().item());
    }

    @Test
    void whatIsNotZeroIsTrue() {
        Tensor x = Tensor.of(0.0, -0.0, 0.1, Double.NaN, -3, Double.NEGATIVE_INFINITY);
        boolean[] expected = {false, false, true, true, true, true};
        assertArrayEquals(expected, x.to(DType.BOOL).toBooleanArray());
        assertArrayEquals(expected, x.to(DType.FLOAT32).to(DType.BOOL).toBooleanArray());
        Tensor filled = Tensor.zeros(DType.BOOL, 2).fill_(0.5);
        assertArrayEquals(new boolean[] {true, true}, filled.toBooleanArray());
    }

    @Test
    void wholeNumbersWrapWhenTheyAreConverted() {
        assertEquals(5, Tensor.scalar((1L << 33) + 5).to(DType.INT32).itemAsLong());
        assertEquals(
                Integer.MIN_VALUE, Tensor.of(new int[] {Integer.MAX_VALUE}).add(1).itemAsLong());
        assertArrayEquals(new int[] {1, 2}, ints().add(1L << 40).toIntArray());
    }

    @Test
    void arithmeticOfBoolIsThatOfPyTorch() {
        Tensor other = Tensor.of(true, true);
        assertTrue(BOOLS.add(BOOLS).equal(BOOLS));
        assertTrue(BOOLS.mul(other).equal(BOOLS));
        assertTrue(BOOLS.add(other).equal(other));
        assertTrue(BOOLS.div(other).equal(Tensor.of(1f, 0f)));
        assertTrue(BOOLS.add(1).equal(Tensor.of(2, 1)));
        assertTrue(BOOLS.pow(2).equal(Tensor.of(1, 0)));
        assertTrue(other.sum().equal(Tensor.scalar(2)));
        assertTrue(BOOLS.exp().equal(Tensor.of(1f, 0f).exp()));
        assertTrue(Tensor.of(true, false).add_(other, 0).equal(BOOLS));
        assertTrue(Tensor.of(true, false).add_(other).equal(other));
    }

    @Test
    void onlyFractionsRequireGradients() {
        assertFails(
                IllegalStateException.class,
                "only Tensors of floating point dtype can require gradients",
                () -> Tensor.of(true).requiresGrad(true));
    }

    @Test
    void resultsInPlaceKeepTheirCategory() {
        assertFails(
                IllegalArgumentException.class,
                "result type Float can't be cast to the desired output type Int",
                () -> ints().add_(Tensor.of(1f, 2f)));
        assertFails(
                IllegalArgumentException.class,
                "result type Long can't be cast to the desired output type Bool",
                () -> Tensor.of(true).mul_(2));
        assertFails(
                IllegalArgumentException.class,
                "For integral input tensors, argument alpha must not be a floating point number.",
                () -> ints().add_(ints(), 1.5));
        assertTrue(ints().add_(Tensor.of(1, 2), 2).equal(Tensor.of(new int[] {3, 6})));
        Tensor floats = Tensor.of(1f, 2f);
        assertSame(floats, floats.add_(Tensor.of(0.5, 1e-9), -1));
        assertTrue(floats.equal(Tensor.of(0.5f, 2f)));
        assertEquals(1, floats.storage().version());
        assertTrue(ints().copy_(Tensor.of(1.9, -2.9)).equal(Tensor.of(new int[] {1, -2})));
    }

    @Test
    void numbersThatDoNotFitAreRefused() {
        assertFails(
                IllegalArgumentException.class,
                "value cannot be converted to type int32 without overflow: 1099511627776",
                () -> ints().fill_(1L << 40));
        assertFails(
                IllegalArgumentException.class,
                "value cannot be converted to type int64 without overflow: NaN",
                () -> Tensor.full(DType.INT64, Double.NaN));
        assertFails(
                IllegalArgumentException.class,
                "value cannot be converted to type int32 without overflow",
                () -> ints().maskedFill(BOOLS, 1e10));
        assertArrayEquals(new int[] {2, 2}, ints().fill_(2.7).toIntArray());
        assertEquals(Long.MIN_VALUE, Tensor.scalar(Long.MIN_VALUE).itemAsLong());
        assertEquals(Double.POSITIVE_INFINITY, Tensor.full(DType.FLOAT32, 1e300).item());
    }

    @Test
    void quotientsByZeroAreInfiniteOrNan() {
        Tensor zeros = Tensor.zeros(DType.INT32, 2);
        assertTrue(ints().div(0).equal(Tensor.full(Double.POSITIVE_INFINITY, 2)));
        assertTrue(zeros.div(zeros).isnan().all().itemAsBoolean());
        assertTrue(ints().div(Tensor.zeros(DType.INT64, 2)).isinf().all().itemAsBoolean());
    }

    @Test
    void wholeNumbersAreMultipliedAsMatrices() {
        Tensor a = Tensor.of(new int[][] {{1, 2}, {3, 4}});
        assertTrue(a.mm(a).equal(Tensor.of(new int[][] {{7, 10}, {15, 22}})));
        assertTrue(a.t().mm(a).equal(Tensor.of(new int[][] {{10, 14}, {14, 20}})));
    }

    @Test
    void printsLikePyTorch() {
        assertEquals("tensor([ True, False])", BOOLS.toString());
        assertEquals("tensor(True)", Tensor.scalar(true).toString());
        assertEquals("tensor([[ True],\n        [False]])", BOOLS.unsqueeze(1).toString());
        assertEquals("tensor([], dtype=torch.bool)", Tensor.zeros(DType.BOOL, 0).toString());
        assertEquals(
                "tensor([  1, -20], dtype=torch.int32)", Tensor.of(new int[] {1, -20}).toString());
    }

    @Test
    void bytesThatAreNoBoolsAreRefused() {
        byte[] bytes = new byte[1000];
        bytes[900] = 2;
        assertFails(
                IllegalArgumentException.class,
                "elements of bool are bytes of 0 or 1; the one at 900 is neither",
                () -> Storage.over(DType.BOOL, MemorySegment.ofArray(bytes)));
        bytes[900] = 1;
        assertEquals(1, sumOver(MemorySegment.ofArray(bytes)));
        try (var arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(1000);
            segment.copyFrom(MemorySegment.ofArray(bytes));
            assertEquals(1, sumOver(segment));
            segment.set(ValueLayout.JAVA_BYTE, 999, (byte) -1);
            assertFails(
                    IllegalArgumentException.class,
                    "the one at 999 is neither",
                    () -> Storage.over(DType.BOOL, segment));
        }
    }

    private static double sumOver(MemorySegment segment) {
        Storage storage = Storage.over(DType.BOOL, segment);
        return Tensor.view(storage, 0, new int[] {1000}, new int[] {1}).sum().item();
    }
}
