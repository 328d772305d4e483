package org.gradwire.tensor.storage;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

/** Operators at the edges of their arguments, as PyTorch 1.13. */
class EdgeCasesTest {
    private static final float NAN = Float.NaN;

    private static Tensor leaf(int... shape) {
        return Tensor.ones(shape).requiresGrad(true);
    }

    private static Tensor leaf(float... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    private static Tensor gradient(Tensor leaf) {
        Tensor gradient = leaf.grad();
        if (gradient == null) {
            throw new AssertionError("no gradient of " + leaf);
        }
        assertArrayEquals(leaf.shape(), gradient.shape());
        assertEquals(leaf.numel(), gradient.toFloatArray().length);
        return gradient;
    }

    private static void assertZeroGradient(Tensor leaf) {
        assertArrayEquals(new float[leaf.numel()], gradient(leaf).toFloatArray());
    }

    @Test
    void productsWithAnEmptyDimensionHaveZeroGradients() {
        record Pair(Tensor left, Tensor right) {}
        var pairs =
                List.of(
                        new Pair(leaf(2, 0), leaf(0, 3)),
                        new Pair(leaf(2, 3), leaf(3, 0)),
                        new Pair(leaf(0, 3), leaf(3, 2)),
                        new Pair(leaf(0), leaf(0, 3)),
                        new Pair(leaf(2, 0), leaf(0)),
                        new Pair(leaf(3), leaf(3, 0)),
                        new Pair(leaf(0), leaf(0)),
                        new Pair(leaf(2, 2, 0), leaf(0, 3)),
                        new Pair(leaf(3), leaf(2, 3, 0)),
                        new Pair(leaf(0, 2, 3), leaf(0, 3, 2)),
                        new Pair(leaf(2, 2, 0), leaf(2, 0, 3)));
        for (Pair pair : pairs) {
            pair.left.matmul(pair.right).sum().backward();
            assertZeroGradient(pair.left);
            assertZeroGradient(pair.right);
        }
    }

    @Test
    void linearWithAnEmptyDimensionHasGradientsOfItsOperandsShapes() {
        int[][] inputs = {{0, 3}, {2, 0}, {2, 3}, {0}, {3}, {2, 0, 3}, {2, 2, 0}};
        int[] outs = {4, 3, 0, 3, 0, 2, 2};
        for (int i = 0; i < inputs.length; i++) {
            Tensor x = leaf(inputs[i]);
            Tensor weight = leaf(outs[i], inputs[i][inputs[i].length - 1]);
            Tensor bias = leaf(new int[] {outs[i]});
            Ops.linear(x, weight, bias).sum().backward();
            assertZeroGradient(x);
            assertZeroGradient(weight);
            float rows = Shapes.count(Arrays.copyOf(inputs[i], inputs[i].length - 1));
            assertArrayEquals(
                    Tensor.full(rows, outs[i]).toFloatArray(), gradient(bias).toFloatArray());
        }
    }

    @Test
    void minimumComparesOperandsAsTheyAre() {
        Tensor x = leaf(1f);
        Tensor.of(new int[] {Integer.MIN_VALUE}).minimum(x).sum().backward();
        assertEquals(0, gradient(x).get(0));
        Tensor y = leaf(0.5f);
        Tensor.of(true).minimum(y).sum().backward();
        assertEquals(1, gradient(y).get(0));
    }

    @Test
    void powersOfWholeNumbersHaveGradientsOfTheirExponents() {
        Tensor x = leaf(0.5f, 1.5f);
        Tensor.of(new int[] {2, 0}).pow(x).sum().backward();
        assertArrayEquals(new float[] {0.9802581f, 0}, gradient(x).toFloatArray(), 1e-6f);
        Tensor y = leaf(0.5f, 1.5f);
        Tensor.of(true, false).pow(y).sum().backward();
        assertArrayEquals(new float[2], gradient(y).toFloatArray());
        Tensor z = leaf(2f, 3f);
        z.pow(Tensor.of(true, false)).sum().backward();
        assertArrayEquals(new float[] {1, 0}, gradient(z).toFloatArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 40})
    void reluLetsTheGradientOfNanThrough(int count) {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
            Tensor x = Tensor.full(dtype, NAN, count).requiresGrad(true);
            x.relu().sum().backward();
            assertArrayEquals(
                    Tensor.ones(count).toFloatArray(),
                    gradient(x).to(DType.FLOAT32).toFloatArray());
        }
    }

    @Test
    void distanceOfNanHasNoSlope() {
        Tensor x = leaf(NAN, 0, 1, 2);
        Tensor y = leaf(1f, 0f, NAN, 1f);
        Ops.l1Loss(x, y, "sum").backward();
        assertArrayEquals(new float[] {0, 0, 0, 1}, gradient(x).toFloatArray());
        assertEquals(-1, gradient(y).get(3));
    }

    @Test
    void sumsOverManyRowsAreExact() {
        Tensor tenths = Tensor.full(0.1f, 1_000_000, 2);
        assertEquals(0.1, tenths.mean(0).get(1), 2e-7);
        assertEquals(100_000, tenths.sum(0).get(0), 0.2);
        assertEquals(0.1, tenths.narrow(1, 0, 1).mean(0).get(0), 2e-7);
        Tensor middle = Tensor.full(0.1f, 2, 100_000, 3);
        assertEquals(10_000, middle.sum(1).get(1, 2), 0.02);
    }

    @Test
    void biasGradientsOverManyRowsAreExact() {
        Tensor bias = leaf(0f, 0f, 0f, 0f);
        Tensor x = Tensor.ones(200_000, 1);
        Ops.linear(x, Tensor.ones(4, 1), bias).mul(0.1f).sum().backward();
        for (float each : gradient(bias).toFloatArray()) {
            assertEquals(20_000, each, 0.02);
        }
    }

    @Test
    void deviationsDoNotOverflowWithTheirSquares() {
        assertEquals(1.4142136e30, Tensor.of(1e30f, -1e30f).std().item(), 1e24);
        assertEquals(1.4142136e-30, Tensor.of(1e-30f, -1e-30f).std().item(), 1e-36);
        Tensor rows = Tensor.of(new float[] {1e30f, -1e30f, 1, 3}, 2, 2);
        assertEquals(1.4142136e30, rows.std(1).get(0), 1e24);
        assertEquals(1.4142135, rows.std(1).get(1), 1e-6);
        assertEquals(Double.POSITIVE_INFINITY, Tensor.of(1e30f, -1e30f).var().item());
    }

    @Test
    void windowThatMeetsNoPixelHasNoMaximum() {
        Tensor image = leaf(2, 1, 1);
        int[] kernel = {3, 1};
        List<Tensor> pooled =
                Ops.maxPool2dWithIndices(
                        image, kernel, kernel, new int[] {1, 0}, new int[] {2, 1}, true);
        float[] none = {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY};
        assertArrayEquals(none, pooled.getFirst().toFloatArray());
        assertArrayEquals(new long[] {-1, -1}, pooled.getLast().toLongArray());
        pooled.getFirst().sum().backward();
        assertZeroGradient(image);
    }

    @Test
    void kernelColumnThatMeetsNoPixelAddsNothing() {
        Tensor image = leaf(1, 1, 4, 1);
        Tensor kernel = leaf(1, 1, 1, 3);
        int[] one = {1, 1};
        Tensor result = Ops.conv2d(image, kernel, null, one, new int[] {0, 2}, new int[] {1, 2}, 1);
        assertArrayEquals(Tensor.ones(4).toFloatArray(), result.toFloatArray());
        result.sum().backward();
        assertArrayEquals(Tensor.ones(4).toFloatArray(), gradient(image).toFloatArray());
        assertArrayEquals(new float[] {0, 4, 0}, gradient(kernel).toFloatArray());
    }

    @Test
    void ignoredClassesAddNothingToASmoothedLoss() {
        Tensor scores = leaf(2, 3);
        Ops.crossEntropy(scores, Tensor.of(0L, 0L), null, "mean", 0, 0.25).backward();
        assertZeroGradient(scores);
    }

    @Test
    void logitsTakeInfiniteTargets() {
        Tensor target = Tensor.of(Float.NEGATIVE_INFINITY);
        Tensor loss = Ops.bceWithLogits(Tensor.ones(1), target, null, null, "sum");
        assertEquals(Double.POSITIVE_INFINITY, loss.item());
    }

    @Test
    void emptyTensorThatRepeatsNothingCanBeChanged() {
        Tensor x = Tensor.ones(3).expand(2, 0, 3);
        assertEquals(0, x.neg_().numel());
    }

    @Test
    void quotientsOverLargeDivisorsHaveGradients() {
        Tensor x = leaf(-1e30f);
        Tensor.of(-1e30f).div(x).backward();
        assertEquals(1e-30, gradient(x).item(), 1e-36);
        Tensor y = leaf(Float.NEGATIVE_INFINITY);
        Ops.remainder(Tensor.of(1f), y).backward();
        assertEquals(1, gradient(y).item());
    }

    @Test
    void productsOfVectorsKeepTheirType() {
        Tensor whole = Tensor.of(new int[] {1, 2});
        assertEquals(DType.INT32, Ops.dot(whole, whole).dtype());
        assertEquals(DType.INT32, whole.matmul(whole).dtype());
        assertEquals(5, whole.matmul(whole).item());
        assertFails(
                IllegalArgumentException.class,
                "\"dot\" not implemented for 'Bool'; convert the operands with to(dtype)",
                () -> Tensor.of(true).matmul(Tensor.of(true)));
    }

    @Test
    void combinedTermsPromoteTogether() {
        Tensor vector = Tensor.ones(1);
        Tensor scalar = Tensor.scalar(DType.FLOAT64, 1);
        assertEquals(DType.FLOAT32, Ops.addcmul(vector, scalar, scalar, 1).dtype());
        assertEquals(DType.FLOAT32, Ops.addcmul(scalar, vector, scalar, 1).dtype());
        Tensor whole = Tensor.of(new int[] {1});
        Tensor wide = Tensor.scalar(DType.INT64, 1);
        assertEquals(DType.INT32, Ops.addcmul(whole, wide, wide, 1).dtype());
        assertEquals(2, Ops.addcmul(whole, whole, whole, 1.5).item());
        assertEquals(DType.FLOAT32, Ops.addcdiv(whole, vector, whole, 1).dtype());
        assertFails(
                IllegalArgumentException.class,
                "Integer division with addcdiv is no longer supported; convert int32[1] or int32[1] with to(dtype)",
                () -> Ops.addcdiv(vector, whole, whole, 1));
        Tensor flag = Tensor.of(true);
        assertFails(
                IllegalArgumentException.class,
                "\"addcmul\" not implemented for 'Bool'; convert a tensor with to(dtype)",
                () -> flag.addcmul_(flag, flag, 1));
    }

    @Test
    void squaresOfBoolAreWhole() {
        Tensor square = Tensor.of(true, false).square();
        assertEquals(DType.INT64, square.dtype());
        assertArrayEquals(new long[] {1, 0}, square.toLongArray());
    }

    @Test
    void hardtanhKeepsWholeNumbersWhole() {
        Tensor x = Tensor.of(-3, 2);
        assertArrayEquals(new long[] {-1, 1}, Ops.hardtanh(x, -1.0, 1.0).toLongArray());
        assertArrayEquals(new long[] {-2, 1}, Ops.hardtanh(x, -2, 1.5).toLongArray());
        assertEquals(DType.INT64, Ops.hardtanh(x, -1.5, 1.5).dtype());
    }

    @Test
    void changesInPlaceRefuseBoolWhereTheOtherFormsDo() {
        Tensor flag = Tensor.of(true);
        String subtraction = "sub does not take ";
        assertRefused(
                subtraction + "two bool tensors", () -> flag.sub_(flag), () -> flag.sub(flag));
        assertRefused(subtraction + "a bool tensor", () -> flag.sub_(1), () -> flag.sub(1));
        assertRefused(
                subtraction + "a bool tensor",
                () -> Tensor.of(1L).sub_(flag),
                () -> Tensor.of(1L).sub(flag));
        assertRefused("neg does not take a bool", flag::neg_, flag::neg);
        assertRefused("Boolean inputs not supported for relu", flag::relu_, flag::relu);
        assertRefused("\"abs\" not implemented for 'Bool'", flag::abs_, flag::abs);
        assertRefused("\"round\" not implemented for 'Bool'", flag::round_, flag::round);
        assertArrayEquals(new boolean[] {true}, flag.toBooleanArray());
    }

    private static void assertRefused(String start, Runnable... changes) {
        for (Runnable change : changes) {
            var e =
                    org.junit.jupiter.api.Assertions.assertThrows(
                            IllegalArgumentException.class, change::run);
            assertEquals(start, String.valueOf(e.getMessage()).substring(0, start.length()));
        }
    }

    @Test
    void boundThatIsNoNumberGivesNone() {
        Tensor x = Tensor.of(1f, 2f);
        assertArrayEquals(x.toFloatArray(), x.clamp(NAN, null).toFloatArray());
        for (Tensor clamped :
                List.of(x.clampMin(NAN), x.clampMax(NAN), x.clamp(NAN, 3), x.clamp(0, NAN))) {
            assertArrayEquals(new float[] {NAN, NAN}, clamped.toFloatArray());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 33})
    void positiveZeroIsLargerThanNegativeZero(int count) {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
            Tensor negative = Tensor.full(dtype, -0.0, count);
            Tensor positive = Tensor.full(dtype, 0.0, count);
            for (Tensor larger : List.of(negative.maximum(positive), positive.maximum(negative))) {
                assertArrayEquals(positive.toDoubleArray(), larger.toDoubleArray());
            }
            for (Tensor less : List.of(negative.minimum(positive), positive.minimum(negative))) {
                assertArrayEquals(negative.toDoubleArray(), less.toDoubleArray());
            }
        }
    }

    @Test
    void tensorWithoutDimensionsRollsAsAWholeOnly() {
        Tensor x = Tensor.scalar(3f);
        assertEquals(3, Ops.roll(x, new int[] {1}, new int[0]).item());
        String none = "Dimension specified as 0 but tensor has no dimensions";
        assertFails(
                IndexOutOfBoundsException.class,
                none,
                () -> Ops.roll(x, new int[] {1}, new int[] {0}));
        assertFails(
                IndexOutOfBoundsException.class, none, () -> Ops.unflatten(x, 0, new int[] {1}));
    }

    @Test
    void crossEntropyOfOneSampleIsItsLoss() {
        Tensor scores = leaf(1f, 2f);
        Tensor loss = Ops.crossEntropy(scores, Tensor.scalar(DType.INT64, 1));
        assertEquals(0.31326166, loss.item(), 1e-6);
        loss.backward();
        assertArrayEquals(
                new float[] {0.26894143f, -0.26894143f}, gradient(scores).toFloatArray(), 1e-6f);
    }

    @Test
    void emptyVectorsArePassedOverWhenTensorsAreJoined() {
        Tensor x = leaf(2, 3);
        Tensor nothing = leaf(new int[] {0});
        for (List<Tensor> tensors : List.of(List.of(x, nothing), List.of(nothing, x))) {
            assertArrayEquals(new int[] {2, 3}, Ops.cat(tensors, -1).shape());
        }
        Ops.cat(List.of(nothing, x), 1).sum().backward();
        assertZeroGradient(nothing);
        assertArrayEquals(Tensor.ones(6).toFloatArray(), gradient(x).toFloatArray());
        assertArrayEquals(new int[] {0}, Ops.cat(List.of(nothing), 1).shape());
        Tensor wide = Tensor.zeros(DType.FLOAT64, 0);
        assertEquals(DType.FLOAT64, Ops.cat(List.of(x, wide), 0).dtype());
        assertFails(
                IllegalArgumentException.class,
                "Sizes of tensors must match except in dimension 1. Expected [2, 3] but got [0, 3] for tensor number 1 in the list.",
                () -> Ops.cat(List.of(x, Tensor.ones(0, 3)), 1));
    }
}
