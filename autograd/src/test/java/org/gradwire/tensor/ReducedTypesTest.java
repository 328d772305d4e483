package org.gradwire.tensor;

import static org.gradwire.tensor.DType.BFLOAT16;
import static org.gradwire.tensor.DType.FLOAT16;
import static org.gradwire.tensor.DType.FLOAT32;
import static org.gradwire.tensor.DType.FLOAT64;
import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.GradMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** float16 and bfloat16: range, rounding, and changes in place. */
class ReducedTypesTest {
    private static final int PATTERNS = 1 << Short.SIZE;

    private static int fractionBits(DType dtype) {
        return dtype == FLOAT16 ? 10 : 7;
    }

    /** {@return the number that some bits stand for, by the definition of the format} */
    private static double number(DType dtype, int bits) {
        int fractionBits = fractionBits(dtype);
        int exponentBits = 15 - fractionBits;
        int bias = (1 << (exponentBits - 1)) - 1;
        int exponent = (bits >> fractionBits) & ((1 << exponentBits) - 1);
        int fraction = bits & ((1 << fractionBits) - 1);
        double sign = (bits & 0x8000) == 0 ? 1 : -1;
        if (exponent == (1 << exponentBits) - 1) {
            return fraction == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
        }
        int whole = exponent == 0 ? fraction : fraction | (1 << fractionBits);
        return sign * whole * Math.scalb(1.0, Math.max(exponent, 1) - bias - fractionBits);
    }

    private static Tensor ofBits(DType dtype, short... bits) {
        return Tensor.copyOf(dtype, MemorySegment.ofArray(bits));
    }

    private static short[] bits(Tensor tensor) {
        return tensor.contiguous().asSegment().toArray(ValueLayout.JAVA_SHORT);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16"})
    void eachPatternIsTheNumberOfItsFormatAndComesBack(DType dtype) {
        short[] all = new short[PATTERNS];
        for (int i = 0; i < PATTERNS; i++) {
            all[i] = (short) i;
        }
        Tensor tensor = ofBits(dtype, all);
        float[] single = tensor.toFloatArray();
        double[] wide = tensor.toDoubleArray();
        short[] back = bits(tensor.to(FLOAT32).to(dtype));
        short[] backFromDouble = bits(tensor.to(FLOAT64).to(dtype));
        for (int i = 0; i < PATTERNS; i++) {
            double expected = number(dtype, i);
            assertEquals(expected, single[i]);
            assertEquals(expected, wide[i]);
            if (Double.isNaN(expected)) {
                assertTrue(Double.isNaN(number(dtype, back[i] & 0xffff)), "NaN stays NaN");
            } else {
                assertEquals(all[i], back[i]);
                assertEquals(all[i], backFromDouble[i]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16"})
    void betweenEachTwoNeighboursIsRoundedToTheNearestAndTiesToEven(DType dtype) {
        int infinity = number(dtype, 0x7c00) == Double.POSITIVE_INFINITY ? 0x7c00 : 0x7f80;
        for (int lower = 0; lower < infinity; lower++) {
            double low = number(dtype, lower);
            double next = number(dtype, lower + 1);
            double high = Double.isInfinite(next) ? 2 * low - number(dtype, lower - 1) : next;
            float middle = (float) (low + (high - low) / 2); // exact: float32 has more bits
            short even = (short) ((lower & 1) == 0 ? lower : lower + 1);
            short[] rounded =
                    bits(
                            Tensor.of(
                                            Math.nextDown(middle),
                                            middle,
                                            Math.nextUp(middle),
                                            -Math.nextDown(middle),
                                            -middle,
                                            -Math.nextUp(middle))
                                    .to(dtype));
            short[] expected = {
                (short) lower,
                even,
                (short) (lower + 1),
                (short) (lower | 0x8000),
                (short) (even | 0x8000),
                (short) ((lower + 1) | 0x8000)
            };
            assertArrayEquals(expected, rounded, "after " + low);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachTypeConvertsToEachOther(DType from) {
        Tensor numbers = Tensor.of(new float[] {-2, 0, 1, 0, 5, 100}, 2, 3).to(from);
        for (DType to : DType.values()) {
            Tensor there = numbers.to(to);
            assertEquals(to, there.dtype());
            Tensor wide = numbers.to(FLOAT64);
            double[] expected = (to == DType.BOOL ? wide.ne(0) : wide).toDoubleArray();
            assertArrayEquals(expected, there.toDoubleArray(), from + " to " + to);
            assertArrayEquals(
                    numbers.t().to(to).toDoubleArray(), there.t().toDoubleArray(), "by strides");
        }
    }

    @Test
    void numbersAreReadAndWritten() {
        Tensor x = Tensor.full(BFLOAT16, 1.0 / 3, 2, 2);
        assertEquals(0.333984375, x.get(1, 0));
        assertEquals(2, BFLOAT16.bytes());
        assertEquals(-3, Tensor.scalar(FLOAT16, -3.5).itemAsLong());
        assertTrue(Tensor.scalar(FLOAT16, 0.5).itemAsBoolean());
        assertArrayEquals(new int[] {7, 7}, Tensor.full(FLOAT16, 7, 2).toIntArray());
        assertArrayEquals(
                new double[] {0, 0.5, 1}, Tensor.linspace(BFLOAT16, 0, 1, 3).toDoubleArray());
        assertEquals(0, Tensor.zeros(FLOAT16, 3).sum().item());
        assertEquals(BFLOAT16, Tensor.onesLike(x).dtype());
        assertTrue(x.equal(x.copy()));
        assertFalse(x.equal(x.to(FLOAT32)));
        assertTrue(x.allclose(x.to(FLOAT32)));
    }

    @Test
    void numbersBeyondTheRangeAreRefused() {
        assertFails(
                IllegalArgumentException.class,
                "value cannot be converted to type float16 without overflow: 70000",
                () -> Tensor.full(FLOAT16, 70000, 2));
        assertFails(
                IllegalArgumentException.class,
                "value cannot be converted to type bfloat16 without overflow: 1.0E39",
                () -> Tensor.zeros(BFLOAT16, 2).fill_(1e39));
        double infinity = Double.POSITIVE_INFINITY;
        assertEquals(infinity, Tensor.full(FLOAT16, infinity, 1).item());
        assertEquals(infinity, Tensor.full(FLOAT32, 70000, 1).to(FLOAT16).item());
    }

    @Test
    void textIsThatOfPyTorch() {
        Tensor x = Tensor.of(0.1f, 100, 3);
        assertEquals(
                "tensor([  0.1001, 100.0000,   3.0000], dtype=torch.bfloat16)",
                x.to(BFLOAT16).toString());
        assertEquals(
                "tensor([9.9976e-02, 1.0000e+02, 3.0000e+00], dtype=torch.float16)",
                x.to(FLOAT16).toString());
        assertEquals("tensor([], dtype=torch.float16)", Tensor.zeros(FLOAT16, 0).toString());
    }

    /** 2,000 terms of 1 would stop at 256 in a sum that is rounded after each term. */
    @Test
    void sumsAndProductsAccumulateInFloat32() {
        Tensor ones = Tensor.ones(BFLOAT16, 2000);
        assertEquals(2000, ones.sum().item());
        assertEquals(2000, ones.dot(ones).item());
        Tensor rows = ones.reshape(1000, 2);
        assertArrayEquals(new double[] {1000, 1000}, rows.sum(0).toDoubleArray());
        assertArrayEquals(new double[] {1000, 1000, 1000, 1000}, rows.t().mm(rows).toDoubleArray());
        assertEquals(1, ones.mean().item());
        assertEquals(0, ones.std().item());
        Tensor bias = Tensor.zeros(BFLOAT16, 2).requiresGrad(true);
        rows.add(bias).backward(rows);
        assertArrayEquals(new double[] {1000, 1000}, gradient(bias).toDoubleArray());
        assertEquals(BFLOAT16, gradient(bias).dtype());
    }

    private static Tensor gradient(Tensor leaf) {
        Tensor gradient = leaf.grad();
        assertNotNull(gradient);
        return gradient;
    }

    @Test
    void gradientsAddUpInTheTypeOfTheirLeaf() {
        Tensor leaf = Tensor.ones(BFLOAT16, 2).requiresGrad(true);
        leaf.mul(256).sum().backward();
        leaf.sum().backward();
        assertArrayEquals(new double[] {256, 256}, gradient(leaf).toDoubleArray());
        leaf.to(FLOAT32).mul(3).sum().backward();
        assertEquals(BFLOAT16, gradient(leaf).dtype());
        assertArrayEquals(new double[] {260, 260}, gradient(leaf).toDoubleArray());
    }

    @Test
    void changesOfWhatBackwardKeepsAreFound() {
        Tensor x = Tensor.of(1.5f, -2).to(FLOAT16).requiresGrad(true);
        Tensor y = x.exp();
        GradMode.noGrad(() -> y.detach().mul_(2));
        assertFails(IllegalStateException.class, "was changed in place", () -> y.sum().backward());
    }

    /** Numbers that stand for operands are rounded first, those that are factors are not. */
    @Test
    void numbersAreRoundedWherePyTorchRoundsThem() {
        Tensor x = Tensor.scalar(BFLOAT16, 0.1).reshape(1);
        assertTrue(x.eq(0.1).item() == 1);
        assertEquals(0, x.fmod(0.1).item());
        Tensor single = Tensor.scalar(FLOAT32, 0.1);
        assertTrue(x.eq(single).item() == 1);
        assertEquals(BFLOAT16, x.mul(single).dtype());
        assertEquals(FLOAT32, x.mul(single.reshape(1)).dtype());
        assertEquals(0.1f * (float) x.item(), x.mul(Tensor.of(0.1f)).item());
        assertEquals(FLOAT32, x.add(x.to(FLOAT16)).dtype());
    }

    @Test
    void refusalsNameTheTypesThatWereGiven() {
        Tensor x = Tensor.ones(BFLOAT16, 2, 2);
        for (DType other : List.of(FLOAT16, FLOAT32, FLOAT64)) {
            assertFails(
                    IllegalArgumentException.class,
                    "mm: expected both to have the same dtype, but got: bfloat16 and %s; convert one with to(dtype)"
                            .formatted(other),
                    () -> x.mm(Tensor.ones(other, 2, 2)));
        }
        assertFails(
                IllegalArgumentException.class,
                "result type Half can't be cast to the desired output type Long",
                () -> Tensor.ones(DType.INT64, 2).add_(Tensor.ones(FLOAT16, 2)));
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.INCLUDE,
            names = {"FLOAT16", "BFLOAT16"})
    void changesInPlaceGiveWhatOperatorsGive(DType dtype) {
        var random = new SplittableRandom(7);
        Tensor x = Tensor.randn(random, 3, 300).to(dtype);
        Tensor y = Tensor.rand(random, 3, 300).add(0.5).to(dtype);
        Tensor row = Tensor.randn(random, dtype, 300);
        Map<String, List<UnaryOperator<Tensor>>> pairs =
                Map.ofEntries(
                        pair("add", t -> t.add_(row), t -> t.add(row)),
                        pair("add number", t -> t.add_(0.3), t -> t.add(0.3)),
                        pair("sub", t -> t.sub_(row), t -> t.sub(row)),
                        pair("mul", t -> t.mul_(y), t -> t.mul(y)),
                        pair("mul number", t -> t.mul_(0.3), t -> t.mul(0.3)),
                        pair("div", t -> t.div_(y), t -> t.div(y)),
                        pair("div number", t -> t.div_(0.3), t -> t.div(0.3)),
                        pair("neg", Tensor::neg_, Tensor::neg),
                        pair("abs", Tensor::abs_, Tensor::abs),
                        pair("relu", Tensor::relu_, Tensor::relu),
                        pair("exp", Tensor::exp_, Tensor::exp),
                        pair("sigmoid", Tensor::sigmoid_, Tensor::sigmoid),
                        pair("tanh", Tensor::tanh_, Tensor::tanh),
                        pair("pow", t -> t.abs_().pow_(0.7), t -> t.abs().pow(0.7)),
                        pair("clamp", t -> t.clamp_(-0.3, 0.3), t -> t.clamp(-0.3, 0.3)),
                        pair("lerp", t -> t.lerp_(y, 0.3), t -> t.lerp(y, 0.3)),
                        pair("lerp tensor", t -> t.lerp_(y, y), t -> t.lerp(y, y)),
                        pair(
                                "wider",
                                t -> t.add_(y.to(FLOAT32)),
                                t -> t.add(y.to(FLOAT32)).to(dtype)),
                        pair("addcmul", t -> t.addcmul_(y, y, 0.3), t -> t.addcmul(y, y, 0.3)),
                        pair("addcdiv", t -> t.addcdiv_(y, y, 0.3), t -> t.addcdiv(y, y, 0.3)),
                        pair(
                                "fill",
                                t -> t.maskedFill_(y.gt(1), 0.3),
                                t -> t.maskedFill(y.gt(1), 0.3)));
        pairs.forEach((name, pair) -> {
            for (Tensor start : List.of(x, x.t().contiguous().t())) {
                Tensor target = start.t().copy().t();
                assertSame(target, pair.getFirst().apply(target));
                assertEquals(dtype, target.dtype());
                Tensor expected = pair.getLast().apply(start);
                assertArrayEquals(expected.toDoubleArray(), target.toDoubleArray(), name);
            }
        });
    }

    private static Map.Entry<String, List<UnaryOperator<Tensor>>> pair(
            String name, UnaryOperator<Tensor> inPlace, UnaryOperator<Tensor> operator) {
        return Map.entry(name, List.of(inPlace, operator));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16"})
    void randomNumbersStayBelowTheirBound(DType dtype) {
        var random = new SplittableRandom(3);
        double[] unit = Tensor.rand(random, dtype, 20_000).toDoubleArray();
        assertTrue(Arrays.stream(unit).allMatch(x -> x >= 0 && x < 1));
        assertEquals(0.5, Arrays.stream(unit).average().orElseThrow(), 0.01);
        double different = Arrays.stream(unit).distinct().count();
        assertEquals(1 << (fractionBits(dtype) + 1), different, 3);
        Tensor spread = Tensor.zeros(dtype, 20_000).uniform_(random, -3, 0.3);
        assertTrue(spread.lt(0.3).all().itemAsBoolean());
        double[] normal = Tensor.randn(random, dtype, 20_000).toDoubleArray();
        assertEquals(0, Arrays.stream(normal).average().orElseThrow(), 0.03);
    }

    /** Running means are changed in place by an operator that sees wider copies. */
    @Test
    void runningStatisticsAreChanged() {
        Tensor x = Tensor.randn(new SplittableRandom(5), 8, 3).to(BFLOAT16);
        for (DType dtype : List.of(BFLOAT16, FLOAT32)) {
            Tensor mean = Tensor.zeros(dtype, 3);
            Tensor variance = Tensor.ones(dtype, 3);
            Tensor wideMean = Tensor.zeros(3);
            Tensor wideVariance = Tensor.ones(3);
            Tensor y = Ops.batchNorm(x, null, null, mean, variance, true, 0.1, 1e-5);
            Tensor expected =
                    Ops.batchNorm(
                            x.to(FLOAT32), null, null, wideMean, wideVariance, true, 0.1, 1e-5);
            assertEquals(BFLOAT16, y.dtype());
            assertTrue(y.allclose(expected, 0x1p-8, 1e-6));
            assertTrue(mean.allclose(wideMean, 0x1p-8, 1e-6));
            assertTrue(variance.allclose(wideVariance, 0x1p-8, 1e-6));
        }
    }

    /** Large tensors are in native memory, where it is available. */
    @Test
    void largeTensorsAreComputedAsSmallOnesAre() {
        Tensor x = Tensor.randn(new SplittableRandom(9), 1000, 700).to(FLOAT16).requiresGrad(true);
        Tensor y = x.mul(2).tanh().sum(1);
        y.sum().backward();
        assertTrue(y.narrow(0, 7, 1).equal(x.narrow(0, 7, 1).mul(2).tanh().sum(1)));
        assertEquals(FLOAT16, gradient(x).dtype());
        assertArrayEquals(new int[] {1000, 700}, gradient(x).shape());
        assertTrue(x.detach().t().copy().t().equal(x.detach()));
    }
}
