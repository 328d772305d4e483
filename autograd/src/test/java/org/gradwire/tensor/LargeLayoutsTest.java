package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;

/** Kernels over layouts of native memory, against the same numbers computed one by one. */
class LargeLayoutsTest {
    private static final int SEED = 11;

    /** Return numbers from 0 to 9 in native memory. */
    private static Tensor numbers(DType dtype, int... shape) {
        Tensor x = Tensor.randint(new Random(SEED), 0, 10, shape).to(dtype);
        assertTrue(x.storage().isNative(), "too small: " + x.numel());
        return x;
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void transposedCopiesHaveTheElementsOfTheirViews(DType dtype) {
        int rows = 301;
        int columns = 533; // neither is whole tiles
        Tensor x = numbers(dtype, rows, columns);
        long[] expected = new long[rows * columns];
        long[] from = x.toLongArray();
        for (int i = 0; i < expected.length; i++) {
            expected[i] = from[i % rows * columns + i / rows];
        }
        assertArrayEquals(expected, x.t().contiguous().toLongArray());
        Tensor target = Tensor.zeros(dtype, columns, rows);
        target.t().copy_(x);
        assertArrayEquals(expected, target.toLongArray());
    }

    @ParameterizedTest
    @CsvSource({"0,2,1", "2,0,1", "2,1,0", "1,0,2", "1,2,0"})
    void permutedCopiesHaveTheElementsOfTheirViews(int first, int second, int third) {
        int[] shape = {37, 66, 40};
        Tensor x = numbers(DType.FLOAT32, shape);
        Tensor permuted = x.permute(first, second, third);
        Tensor copy = permuted.contiguous();
        int[] order = {first, second, third};
        long[] from = x.toLongArray();
        long[] actual = copy.toLongArray();
        int[] strides = {shape[1] * shape[2], shape[2], 1};
        int next = 0;
        for (int i = 0; i < shape[order[0]]; i++) {
            for (int j = 0; j < shape[order[1]]; j++) {
                for (int k = 0; k < shape[order[2]]; k++, next++) {
                    int at = i * strides[order[0]] + j * strides[order[1]] + k * strides[order[2]];
                    assertEquals(from[at], actual[next], i + " " + j + " " + k);
                }
            }
        }
        assertEquals(actual.length, next);
    }

    @Test
    void copiesOfSmallAndEmptyLayoutsAreRight() {
        Tensor x = Tensor.arange(6).reshape(2, 3);
        assertArrayEquals(new long[] {0, 3, 1, 4, 2, 5}, x.t().contiguous().toLongArray());
        assertArrayEquals(new int[] {5, 0}, Tensor.zeros(0, 5).t().contiguous().shape());
        Tensor wide = numbers(DType.FLOAT32, 2, 20_000);
        Tensor steps = Ops.slice(wide, 1, 1, 20_000, 3).contiguous();
        assertEquals(6667, steps.size(1));
        long[] from = wide.toLongArray();
        long[] actual = steps.toLongArray();
        for (int i = 0; i < actual.length; i++) {
            assertEquals(from[i / 6667 * 20_000 + 1 + i % 6667 * 3], actual[i], "at " + i);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT64", "INT64", "INT32"})
    void broadcastOperandsGiveWhatRepeatedOnesGive(DType dtype) {
        Tensor x = numbers(dtype, 100, 700);
        List<Tensor> others =
                List.of(
                        Tensor.randint(new Random(1), 1, 9, 700).to(dtype),
                        Tensor.randint(new Random(2), 1, 9, 100, 1).to(dtype),
                        Tensor.randint(new Random(3), 1, 9, 1, 1).to(dtype));
        List<BinaryOperator<Tensor>> functions = List.of(Tensor::add, Tensor::sub, Tensor::mul);
        for (Tensor other : others) {
            Tensor repeated = other.expand(100, 700).contiguous();
            for (BinaryOperator<Tensor> function : functions) {
                assertTrue(function.apply(x, repeated).equal(function.apply(x, other)));
                assertTrue(function.apply(repeated, x).equal(function.apply(other, x)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void softmaxOfColumnsIsThatOfTransposedRows(boolean logarithmic) {
        Tensor x = Tensor.rand(new Random(SEED), DType.FLOAT64, 90, 130).mul(20);
        Tensor g = Tensor.rand(new Random(SEED + 1), DType.FLOAT64, 90, 130);
        Tensor byColumns = x.clone().requiresGrad(true);
        Tensor byRows = x.t().contiguous().requiresGrad(true);
        Tensor columns = logarithmic ? byColumns.logSoftmax(0) : byColumns.softmax(0);
        Tensor rows = logarithmic ? byRows.logSoftmax(1) : byRows.softmax(1);
        assertTrue(rows.t().allclose(columns));
        columns.backward(g);
        rows.backward(g.t().contiguous());
        Tensor ofColumns = byColumns.grad();
        Tensor ofRows = byRows.grad();
        assertTrue(ofColumns != null && ofRows != null && ofRows.t().allclose(ofColumns));
    }

    @Test
    void softmaxOfColumnsKeepsMissingNumbersInTheirColumn() {
        float[] scores = new float[3 * 20];
        scores[20] = Float.NaN; // in the first column
        scores[1] = Float.NEGATIVE_INFINITY; // in the second
        for (int row = 0; row < 3; row++) {
            scores[row * 20 + 2] = Float.NEGATIVE_INFINITY;
        }
        float[] y = Tensor.of(scores, 3, 20).softmax(0).toFloatArray();
        assertArrayEquals(new float[] {Float.NaN, 0, Float.NaN}, new float[] {y[0], y[1], y[2]});
        assertEquals(0.5f, y[21]);
        assertEquals(1f / 3, y[59], 1e-7f);
        assertArrayEquals(new int[] {0, 20}, Tensor.zeros(0, 20).softmax(0).shape());
        assertArrayEquals(new int[] {20, 0}, Tensor.zeros(20, 0).softmax(0).shape());
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void indicesReachElementsOfEachType(DType dtype) {
        int rows = 90;
        int columns = 800;
        Tensor x = numbers(dtype, rows, columns);
        Tensor index = Tensor.randint(new Random(1), 0, rows, rows, columns);
        long[] from = x.toLongArray();
        long[] at = index.toLongArray();
        long[] taken = new long[at.length];
        long[] put = new long[at.length];
        for (int i = 0; i < at.length; i++) {
            int place = (int) at[i] * columns + i % columns;
            taken[i] = from[place];
            put[place] = from[i];
        }
        assertArrayEquals(taken, Ops.gather(x, 0, index).toLongArray());
        Tensor zeros = Tensor.zeros(dtype, rows, columns);
        assertArrayEquals(put, Ops.scatter(zeros, 0, index, x).toLongArray());
        assertArrayEquals(new long[at.length], zeros.toLongArray());
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT64", "INT64", "INT32"})
    void addedElementsMeetInTheirPlaces(DType dtype) {
        Tensor x = numbers(dtype, 50, 900);
        Tensor index = Tensor.randint(new Random(1), 0, 900, 50, 900);
        long[] expected = x.toLongArray();
        long[] at = index.toLongArray();
        long[] added = x.toLongArray();
        for (int i = 0; i < at.length; i++) {
            expected[i / 900 * 900 + (int) at[i]] += added[i];
        }
        assertArrayEquals(expected, Ops.scatterAdd(x, 1, index, x).toLongArray());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 40, Long.MAX_VALUE, Long.MIN_VALUE})
    void anIndexOutsideIsNamed(long outside) {
        Tensor x = numbers(DType.FLOAT32, 40, 1000);
        long[] at = new long[40 * 1000];
        at[at.length - 7] = outside;
        Tensor index = Tensor.of(at, 40, 1000);
        var failure = assertThrows(IndexOutOfBoundsException.class, () -> Ops.gather(x, 0, index));
        assertEquals(
                "index %d is out of bounds for dimension 0 with size 40".formatted(outside),
                failure.getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> Ops.scatterAdd(x, 0, index, x.clone()));
    }

    @Test
    void rowsOfTablesAreLookedUpInAnyLayout() {
        Tensor table = Tensor.rand(new Random(SEED), 600, 40);
        Tensor indices = Tensor.randint(new Random(1), 0, 600, 30, 7);
        Tensor expected = Ops.indexSelect(table, 0, indices.reshape(210)).reshape(30, 7, 40);
        Tensor transposed = table.t().contiguous().t();
        assertTrue(expected.equal(Ops.embedding(table, indices, false)));
        assertTrue(expected.equal(Ops.embedding(transposed, indices, false)));
    }

    @Test
    void productsOfIntegersAreExact() {
        Tensor a = Tensor.randint(new Random(SEED), -1 << 20, 1 << 20, 70, 90);
        Tensor b = Tensor.randint(new Random(SEED + 1), -1 << 20, 1 << 20, 90, 130);
        long[] x = a.toLongArray();
        long[] y = b.toLongArray();
        long[] expected = new long[70 * 130];
        for (int i = 0; i < expected.length; i++) {
            for (int k = 0; k < 90; k++) {
                expected[i] += x[i / 130 * 90 + k] * y[k * 130 + i % 130];
            }
        }
        assertArrayEquals(expected, a.matmul(b).toLongArray());
        assertArrayEquals(expected, a.matmul(b.t().contiguous().t()).toLongArray());
        assertArrayEquals(expected, a.t().contiguous().t().matmul(b).toLongArray());
    }

    /** Groups of one channel, kernels of one number, and both, with and without padding. */
    @ParameterizedTest
    @CsvSource({
        "6,6,3,1,1",
        "6,6,3,0,1",
        "6,6,3,2,2",
        "6,6,1,0,1",
        "1,6,1,0,1",
        "2,6,1,0,1",
        "1,1,5,2,1",
        "6,12,3,1,1"
    })
    void convolutionsWithoutColumnsAreThoseOfTheirSums(
            int groups, int outputs, int kernel, int padding, int dilation) {
        Tensor x = Tensor.rand(new Random(SEED), DType.FLOAT64, 2, 6 / groups * groups, 9, 11);
        Tensor images = groups == 1 && outputs == 1 ? Ops.narrow(x, 1, 0, 1).contiguous() : x;
        int channels = images.size(1) / groups;
        Tensor w = Tensor.rand(new Random(1), DType.FLOAT64, outputs, channels, kernel, kernel);
        Tensor bias = Tensor.rand(new Random(2), DType.FLOAT64, outputs);
        int[] pad = {padding, padding};
        int[] step = {dilation, dilation};
        images.requiresGrad(true);
        w.requiresGrad(true);
        Tensor y = Ops.conv2d(images, w, bias, new int[] {1, 1}, pad, step, groups);
        checkSums(images.detach(), w.detach(), bias, y.detach(), padding, dilation);
        Tensor g = Tensor.rand(new Random(3), DType.FLOAT64, y.shape());
        y.backward(g);
        double product = y.detach().sub(bias.reshape(1, outputs, 1, 1)).mul(g).sum().item();
        assertEquals(product, inner(images), 1e-9 * Math.abs(product));
        assertEquals(product, inner(w), 1e-9 * Math.abs(product));
    }

    /** A convolution is linear: its operand times its gradient is the output times its own. */
    private static double inner(Tensor operand) {
        Tensor gradient = operand.grad();
        return gradient == null ? Double.NaN : operand.detach().mul(gradient).sum().item();
    }

    private static void checkSums(
            Tensor images, Tensor w, Tensor bias, Tensor y, int padding, int dilation) {
        int perGroup = w.size(0) * w.size(1) / images.size(1);
        var random = new SplittableRandom(SEED);
        for (int sample = 0; sample < 200; sample++) {
            int n = random.nextInt(y.size(0));
            int o = random.nextInt(y.size(1));
            int row = random.nextInt(y.size(2));
            int column = random.nextInt(y.size(3));
            double sum = bias.get(o);
            for (int c = 0; c < w.size(1); c++) {
                int channel = o / perGroup * w.size(1) + c;
                for (int i = 0; i < w.size(2) * w.size(3); i++) {
                    int h = row - padding + i / w.size(3) * dilation;
                    int v = column - padding + i % w.size(3) * dilation;
                    boolean inside = h >= 0 && v >= 0 && h < images.size(2) && v < images.size(3);
                    sum +=
                            inside
                                    ? images.get(n, channel, h, v)
                                            * w.get(o, c, i / w.size(3), i % w.size(3))
                                    : 0;
                }
            }
            assertEquals(sum, y.get(n, o, row, column), 1e-12, "sample " + sample);
        }
    }
}
