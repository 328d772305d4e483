package org.gradwire.tensor.kernel.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.kernel.Kernels;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.MatrixProduct;
import org.gradwire.tensor.kernel.element.Unary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.SplittableRandom;

/** The kernels of the Vector API against those in plain Java, over lengths around a vector's. */
class KernelsTest {
    private static final int[] LENGTHS = {0, 1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 100, 1025};
    private static final double FLOAT_TOLERANCE = 2e-6;
    private static final double DOUBLE_TOLERANCE = 1e-14;

    private final Kernels plain = Kernels.plain();
    private final Kernels vector = Kernels.vector().orElseThrow();

    /** Runs the same step on arrays of either type. */
    private interface Step {
        <A> void apply(Elements<A> elements, A a, A b, A y, int offset, int n);
    }

    private void compare(double low, double high, Step step) {
        for (int n : LENGTHS) {
            for (int offset : new int[] {0, 3}) {
                compareDoubles(low, high, step, n, offset);
                compareFloats(low, high, step, n, offset);
            }
        }
    }

    private void compareDoubles(double low, double high, Step step, int n, int offset) {
        var random = new SplittableRandom(n);
        double[] a = random.doubles(n + 5, low, high).toArray();
        double[] b = random.doubles(n + 5, low, high).toArray();
        double[] expected = b.clone();
        double[] actual = b.clone();
        step.apply(plain.doubles(), a, b, expected, offset, n);
        step.apply(vector.doubles(), a, b, actual, offset, n);
        for (int i = 0; i < expected.length; i++) {
            double most = DOUBLE_TOLERANCE * Math.max(1, Math.abs(expected[i]));
            assertEquals(expected[i], actual[i], most, "n=" + n + " i=" + i);
        }
    }

    private void compareFloats(double low, double high, Step step, int n, int offset) {
        var random = new SplittableRandom(n);
        float[] a = new float[n + 5];
        float[] b = new float[n + 5];
        for (int i = 0; i < a.length; i++) {
            a[i] = (float) random.nextDouble(low, high);
            b[i] = (float) random.nextDouble(low, high);
        }
        float[] expected = b.clone();
        float[] actual = b.clone();
        step.apply(plain.floats(), a, b, expected, offset, n);
        step.apply(vector.floats(), a, b, actual, offset, n);
        for (int i = 0; i < expected.length; i++) {
            double most = FLOAT_TOLERANCE * Math.max(1, Math.abs(expected[i]));
            assertEquals(expected[i], actual[i], most, "n=" + n + " i=" + i);
        }
    }

    @Test
    void vectorKernelsAreChosenWhenTheModuleIsThere() {
        assertEquals("vector", Kernels.installed().name());
    }

    @ParameterizedTest
    @EnumSource(Unary.class)
    void functionsOfOneNumberAgree(Unary function) {
        double[] range =
                switch (function) {
                    case LOG, LOG2, LOG10, SQRT, RSQRT, RECIPROCAL -> new double[] {0.01, 4};
                    case LOG1P -> new double[] {-0.9, 4};
                    case ASIN, ACOS -> new double[] {-0.99, 0.99};
                    case TAN -> new double[] {-1.5, 1.5};
                    default -> new double[] {-4, 4};
                };
        compare(
                range[0],
                range[1],
                new Step() {
                    @Override
                    public <A> void apply(Elements<A> elements, A a, A b, A y, int o, int n) {
                        elements.unary(function, a, o, y, o, n);
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(Binary.class)
    void functionsOfTwoNumbersAgree(Binary function) {
        boolean positive =
                switch (function) {
                    case DIV, POW, REMAINDER, FMOD -> true;
                    default -> false;
                };
        compare(
                positive ? 0.5 : -2,
                2,
                new Step() {
                    @Override
                    public <A> void apply(Elements<A> elements, A a, A b, A y, int o, int n) {
                        elements.binary(function, a, o, b, o, y, o, n);
                    }
                });
    }

    @Test
    void scaledSumsAgree() {
        compare(
                -2,
                2,
                new Step() {
                    @Override
                    public <A> void apply(Elements<A> elements, A a, A b, A y, int o, int n) {
                        elements.addScaled(-0.3, a, o, y, o, n);
                    }
                });
    }

    @Test
    void sumsAgree() {
        compare(
                0,
                1e-2,
                new Step() {
                    @Override
                    public <A> void apply(Elements<A> elements, A a, A b, A y, int o, int n) {
                        elements.sum(a, o, n, y, 0);
                    }
                });
    }

    @Test
    void rowsOfScoresAgree() {
        compare(
                -3,
                3,
                new Step() {
                    @Override
                    public <A> void apply(Elements<A> elements, A a, A b, A y, int o, int n) {
                        if (n > 0) {
                            elements.logSoftmax(a, o, y, o, n);
                            elements.softmax(y, o, y, o, n);
                        }
                    }
                });
    }

    @Test
    void specialNumbersStaySpecial() {
        float[] x = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 0, -0f};
        float[] wide = new float[40];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = x[i % x.length];
        }
        for (Unary function : Unary.values()) {
            float[] expected = new float[40];
            float[] actual = new float[40];
            plain.floats().unary(function, wide, 0, expected, 0, 40);
            vector.floats().unary(function, wide, 0, actual, 0, 40);
            assertArrayEquals(expected, actual, 1e-6f, function.toString());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Binary.class,
            names = {"MAX", "MIN", "SAME", "AT_LEAST", "POW", "LEAKY_RELU", "ELU", "SOFTPLUS"})
    void specialPairsStaySpecial(Binary function) {
        float[] numbers = {
            Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 0, 1, -1, 3
        };
        int n = numbers.length * numbers.length;
        float[] a = new float[n];
        float[] b = new float[n];
        for (int i = 0; i < n; i++) {
            a[i] = numbers[i % numbers.length];
            b[i] = numbers[i / numbers.length];
        }
        float[] expected = new float[n];
        float[] actual = new float[n];
        plain.floats().binary(function, a, 0, b, 0, expected, 0, n);
        vector.floats().binary(function, a, 0, b, 0, actual, 0, n);
        assertArrayEquals(expected, actual, 1e-6f);
    }

    /** The rest of a division is exact, so the kernels equal Java's operator to the bit. */
    @Test
    void remaindersAreExact() {
        float[] numbers = {
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            0,
            -0f,
            1,
            -1,
            3,
            -7.5f,
            0.1f,
            1e30f,
            -1e-30f,
            Float.MIN_VALUE,
            Float.MAX_VALUE,
            16_777_215,
            0.3f
        };
        int n = numbers.length * numbers.length;
        float[] a = new float[n];
        float[] b = new float[n];
        double[] c = new double[n];
        double[] d = new double[n];
        var random = new SplittableRandom(5);
        for (int repeat = 0; repeat < 200; repeat++) {
            for (int i = 0; i < n; i++) {
                float factor = repeat == 0 ? 1 : (float) random.nextDouble(0.5, 1.5);
                a[i] = numbers[i % numbers.length] * factor;
                b[i] = numbers[i / numbers.length] * (repeat % 2 == 0 ? 1 : factor);
                c[i] = a[i] * random.nextDouble();
                d[i] = b[i] * random.nextDouble();
            }
            for (Kernels kernels : new Kernels[] {plain, vector}) {
                float[] y = new float[n];
                double[] z = new double[n];
                kernels.floats().binary(Binary.FMOD, a, 0, b, 0, y, 0, n);
                kernels.doubles().binary(Binary.FMOD, c, 0, d, 0, z, 0, n);
                for (int i = 0; i < n; i++) {
                    assertEquals(a[i] % b[i], y[i], a[i] + " % " + b[i]);
                    assertEquals(c[i] % d[i], z[i], c[i] + " % " + d[i]);
                }
                kernels.floats().binary(Binary.REMAINDER, a, 0, b, 0, y, 0, n);
                for (int i = 0; i < n; i++) {
                    float rest = a[i] % b[i];
                    boolean isOther = rest != 0 && (rest < 0) != (b[i] < 0);
                    assertEquals(isOther ? rest + b[i] : rest, y[i], a[i] + " mod " + b[i]);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Binary.class,
            names = {"ADD", "SUB", "MUL", "MAX", "REMAINDER"})
    void functionsOfIntegersAgree(Binary function) {
        var random = new SplittableRandom(4);
        for (int n : LENGTHS) {
            long[] a = random.longs(n + 3).toArray();
            long[] b = random.longs(n + 3).map(number -> number | 1).toArray();
            long[] expected = b.clone();
            long[] actual = b.clone();
            plain.longs().binary(function, a, 3, b, 2, expected, 1, n);
            vector.longs().binary(function, a, 3, b, 2, actual, 1, n);
            assertArrayEquals(expected, actual, "n=" + n);
            plain.longs().addScaled(-3, a, 1, expected, 2, n);
            vector.longs().addScaled(-3, a, 1, actual, 2, n);
            assertArrayEquals(expected, actual, "n=" + n);
        }
    }

    @Test
    void shiftedRowsAndInnerProductsAgree() {
        compare(
                -2,
                2,
                new Step() {
                    @Override
                    public <A> void apply(Elements<A> elements, A a, A b, A y, int o, int n) {
                        elements.shiftScale(-0.3, 1.7, a, o, y, o, n);
                        elements.set(y, 0, elements.dot(a, o, b, o, n) / Math.max(1, n));
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 0, 0.5, 1, 2, 3, 4, -2, 2.5})
    void powersAgree(double exponent) {
        compare(
                0.1,
                3,
                new Step() {
                    @Override
                    public <A> void apply(Elements<A> elements, A a, A b, A y, int o, int n) {
                        elements.pow(a, o, exponent, y, o, n);
                        for (int i = 0; i < Math.min(n, 1); i++) {
                            double power = Math.pow(elements.getDouble(a, o), exponent);
                            double ulps = 1e-6 * Math.max(1, power);
                            assertEquals(power, elements.getDouble(y, o), ulps);
                        }
                    }
                });
    }

    /** Values of the C library's erf. */
    @Test
    void errorFunctionIsExact() {
        double[] x = {0, 1e-10, 0.3, 0.84375, 1, 1.25, 2, 2.857142857142857, 3.5, 5.9, 7, -1};
        double[] expected = {
            0.0,
            1.1283791670955126e-10,
            0.3286267594591274,
            0.7672256612323416,
            0.8427007929497149,
            0.9229001282564582,
            0.9953222650189527,
            0.9999466876886117,
            0.9999992569016276,
            0.9999999999999999,
            1.0,
            -0.8427007929497149
        };
        double[] actual = new double[x.length];
        plain.doubles().unary(Unary.ERF, x, 0, actual, 0, x.length);
        for (int i = 0; i < x.length; i++) {
            assertEquals(expected[i], actual[i], Math.ulp(expected[i]), "erf of " + x[i]);
        }
        double[] special = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        plain.doubles().unary(Unary.ERF, special, 0, special, 0, 3);
        assertArrayEquals(new double[] {Double.NaN, 1, -1}, special);
    }

    @Test
    void softmaxOfLargeScoresDoesNotOverflow() {
        float[] y = new float[3];
        vector.floats().softmax(new float[] {1000, 1000, -1000}, 0, y, 0, 3);
        assertArrayEquals(new float[] {0.5f, 0.5f, 0}, y);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void openBlasAgreesWithPlainProducts(boolean accumulate) {
        assertTrue(OpenBlas.available(), "the natives are a test dependency");
        var random = new SplittableRandom(3);
        for (int[] size : new int[][] {{1, 1, 1}, {5, 7, 3}, {64, 1, 17}, {40, 50, 60}}) {
            for (int flags = 0; flags < 4; flags++) {
                boolean ta = (flags & 1) != 0;
                boolean tb = (flags & 2) != 0;
                int m = size[0];
                int n = size[1];
                int k = size[2];
                var shape =
                        new MatrixProduct(
                                m,
                                n,
                                k,
                                ta,
                                (ta ? m : k) + 2,
                                tb,
                                (tb ? k : n) + 1,
                                n + 3,
                                accumulate);
                double[] a = random.doubles(shape.aSpan() + 4).toArray();
                double[] b = random.doubles(shape.bSpan() + 4).toArray();
                double[] c = random.doubles(shape.cSpan() + 4).toArray();
                double[] expected = c.clone();
                double[] actual = c.clone();
                var elements = plain.doubles();
                MatrixMultiplication.multiplyPlain(elements, shape, a, 4, b, 4, expected, 4);
                OpenBlas.multiply(elements, shape, a, 4, b, 4, actual, 4);
                assertArrayEquals(expected, actual, 1e-12, shape.toString());
            }
        }
    }

    @Test
    void largeProductsOfArraysGoThroughNativeMemory() {
        int n = 420;
        var random = new SplittableRandom(4);
        float[] a = new float[n * n];
        float[] b = new float[n * n];
        for (int i = 0; i < a.length; i++) {
            a[i] = random.nextFloat() - 0.5f;
            b[i] = random.nextFloat() - 0.5f;
        }
        var shape = new MatrixProduct(n, n, n, false, n, true, n, n, false);
        float[] expected = new float[n * n];
        float[] actual = new float[n * n];
        MatrixMultiplication.multiplyPlain(plain.floats(), shape, a, 0, b, 0, expected, 0);
        MatrixMultiplication.multiply(plain.floats(), shape, a, 0, b, 0, actual, 0);
        assertArrayEquals(expected, actual, 1e-3f);
    }
}
