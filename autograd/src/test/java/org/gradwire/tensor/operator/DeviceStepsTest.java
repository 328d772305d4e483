package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.DeviceComparison.CUDA;
import static org.gradwire.tensor.operator.DeviceComparison.compare;
import static org.gradwire.tensor.operator.DeviceComparison.gradient;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.testing.NeedsDevices;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * Operators of training steps on a device, in float32, with more elements than a block of threads
 * has: the values and gradients of the host, without copies where the device has the kernels.
 */
@NeedsDevices
@Isolated("copies to the host are counted for the whole JVM")
class DeviceStepsTest {
    /** {@return whether there are devices for this run} */
    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    private final Random random = new Random(7);

    private Tensor numbers(int... shape) {
        return DeviceComparison.numbers(random, shape);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "700, 3", "5, 32", "9, 100", "67, 1000", "3, 5000"})
    void rowsAreNormalized(int rows, int width) {
        int[] shape = {width};
        compare(
                x -> Ops.layerNorm(x[0], shape, x[1], x[2], 1e-5),
                numbers(rows, width),
                numbers(width),
                numbers(width));
        compare(x -> Ops.layerNorm(x[0], shape, null, null, 1e-5), numbers(rows, width));
    }

    @Test
    void varianceIsThatOfCenteredNumbers() {
        Tensor x = numbers(4, 300).add(1000).detach().to(CUDA);
        Tensor y = Ops.layerNorm(x, new int[] {300}, null, null, 1e-5);
        assertEquals(1, y.square().mean().item(), 0.01);
    }

    @Test
    void severalDimensionsAndOtherLayoutsAreNormalized() {
        compare(
                x -> Ops.layerNorm(x[0].transpose(0, 2), new int[] {6, 40}, x[1], x[2], 1e-5),
                numbers(40, 6, 30),
                numbers(6, 40),
                numbers(6, 40));
    }

    @Test
    void onlyWantedGradientsAreComputed() {
        Tensor scale = numbers(50).to(CUDA).requiresGrad(true);
        Tensor x = numbers(8, 50).to(CUDA);
        Ops.layerNorm(x, new int[] {50}, scale, null, 1e-5).sum().backward();
        double[] sums = Ops.layerNorm(x, new int[] {50}, null, null, 1e-5).sum(0).toDoubleArray();
        assertArrayEquals(sums, gradient(scale).toDoubleArray(), 1e-5);
    }

    private Tensor labels(int count, int classes) {
        long[] labels = new long[count];
        for (int i = 0; i < count; i++) {
            labels[i] = i % 7 == 3 ? -100 : random.nextInt(classes);
        }
        return Tensor.of(labels);
    }

    @ParameterizedTest
    @CsvSource({
        "none, 1, 1",
        "mean, 700, 10",
        "sum, 700, 10",
        "none, 700, 10",
        "mean, 9, 1000",
        "none, 300, 300"
    })
    void lossesOfLabels(String reduction, int count, int classes) {
        Tensor labels = labels(count, classes);
        compare(
                x -> Ops.nllLoss(x[0], x[1], null, reduction, -100),
                numbers(count, classes),
                labels);
        compare(
                x -> Ops.crossEntropy(x[0], x[1], null, reduction, -100, 0),
                numbers(count, classes),
                labels);
    }

    @Test
    void oneLabel() {
        compare(x -> Ops.nllLoss(x[0], x[1], null, "mean", -100), numbers(9), Tensor.scalar(4L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "mean", "sum"})
    void ignoredLabels(String reduction) {
        Tensor labels = Tensor.of(2L, 2L, 2L);
        compare(x -> Ops.nllLoss(x[0], x[1], null, reduction, 2), numbers(3, 4), labels);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 1, 50, -1, false",
        "100, 64, 1000, -1, false",
        "30, 300, 500, 2, false",
        "30, 20, 500, 2, true"
    })
    void rowsOfTables(int rows, int width, int count, int padding, boolean byFrequency) {
        long[] indices = new long[count];
        Arrays.setAll(indices, _ -> random.nextInt(rows));
        @Nullable Integer without = padding < 0 ? null : Integer.valueOf(padding);
        compare(
                x -> Ops.embedding(x[0], x[1], without, byFrequency),
                numbers(rows, width),
                Tensor.of(indices, count / 10, 10));
    }

    /** Bags of 0 to 6 rows, one index of which may be left out. */
    @ParameterizedTest
    @CsvSource({
        "sum, 30, 300, 500, -1",
        "sum, 2, 5, 5000, 1",
        "mean, 400, 70, 3000, -1",
        "mean, 30, 20, 500, 2",
        "max, 30, 20, 500, -1",
        "max, 3, 300, 50, 2",
        "mean, 1, 1, 1, -1"
    })
    void bagsOfRows(String mode, int rows, int width, int count, int padding) {
        long[] indices = new long[count];
        Arrays.setAll(indices, _ -> random.nextInt(rows));
        long[] offsets = new long[1 + count / 3];
        for (int i = 1; i < offsets.length; i++) {
            offsets[i] = Math.min(count, offsets[i - 1] + random.nextInt(7));
        }
        @Nullable Integer without = padding < 0 ? null : Integer.valueOf(padding);
        for (boolean byFrequency : new boolean[] {false, !mode.equals("max")}) {
            compare(
                    x ->
                            Ops.embeddingBag(
                                    x[0], x[1], x[2], byFrequency, mode, null, false, without),
                    numbers(rows, width),
                    Tensor.of(indices),
                    Tensor.of(offsets));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2})
    void weightsOfRowsOfBags(int padding) {
        long[] indices = new long[600];
        Arrays.setAll(indices, _ -> random.nextInt(30));
        @Nullable Integer without = padding < 0 ? null : Integer.valueOf(padding);
        compare(
                x -> Ops.embeddingBag(x[0], x[1], null, false, "sum", x[2], false, without),
                numbers(30, 70),
                Tensor.of(indices, 60, 10),
                numbers(60, 10));
    }

    @Test
    void sumsOfRowsAreTheSameEachTime() {
        long[] indices = new long[5000];
        Arrays.setAll(indices, _ -> random.nextInt(3));
        Tensor x = Tensor.of(indices).to(CUDA);
        Tensor flow = numbers(5000, 16).to(CUDA);
        List<Tensor> sums =
                List.of(numbers(3, 16), numbers(3, 16)).stream()
                        .map(table -> table.to(CUDA).requiresGrad(true))
                        .toList();
        for (Tensor table : sums) {
            Ops.embedding(table, x, null, false).mul(flow).sum().backward();
        }
        assertTrue(gradient(sums.get(0)).equal(gradient(sums.get(1))));
    }

    @Test
    void comparisonsWithNaN() {
        Tensor a = Tensor.of(1f, Float.NaN, -0f, 2f, Float.POSITIVE_INFINITY, 7f);
        Tensor b = Tensor.of(1f, Float.NaN, 0f, 3f, Float.NaN, -7f);
        List<Function<Tensor[], Tensor>> functions =
                List.of(
                        x -> x[0].eq(x[1]),
                        x -> x[0].ne(x[1]),
                        x -> x[0].lt(x[1]),
                        x -> x[0].le(x[1]),
                        x -> x[0].gt(x[1]),
                        x -> x[0].ge(x[1]),
                        x -> x[0].gt(0.5),
                        x -> Ops.logicalNot(x[0]));
        for (Function<Tensor[], Tensor> function : functions) {
            compare(x -> function.apply(x).to(DType.INT32), a, b);
        }
    }

    @Test
    void selectionByMasks() {
        Tensor mask = numbers(300, 1).gt(0);
        compare(x -> Ops.where(x[2], x[0], x[1]), numbers(300, 70), numbers(70), mask);
        compare(x -> Ops.maskedFill(x[0], x[1], -1e9), numbers(4, 300, 70), mask);
        compare(x -> Ops.where(x[0], 1, 0), mask);
        compare(x -> x[0].logicalAnd(x[1]).logicalOr(x[0]), mask, numbers(300, 9).gt(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void extremes(int dim) {
        Tensor x = numbers(7, 40, 300);
        compare(y -> Ops.max(y[0], dim, false).get(0), x);
        compare(y -> Ops.min(y[0], dim, true).get(0), x);
        compare(y -> Ops.argmax(y[0], dim, false).to(DType.INT32), x);
        compare(y -> Ops.prod(y[0], dim, false), numbers(7, 6, 5).add(1).detach());
    }

    @Test
    void extremesOfNaNAndEqualNumbers() {
        Tensor x = Tensor.of(new float[] {1, Float.NaN, 2, Float.NaN, 3, 0, 3, 3}, 2, 4);
        for (Tensor kind : List.of(x, x.to(DType.INT32), x.gt(1))) {
            compare(y -> Ops.argmax(y[0], 1, false).to(DType.INT32), kind);
            compare(y -> Ops.min(y[0], 1, false).get(1).to(DType.INT32), kind);
        }
        compare(y -> Ops.max(y[0], 1, false).get(0), x);
        compare(y -> Ops.argmax(y[0], null, false).to(DType.INT32), numbers(90, 40));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void slicesByIndex(int dim) {
        Tensor index = Tensor.of(3L, 0L, 3L, 1L);
        compare(x -> Ops.indexSelect(x[0], dim, x[1]), numbers(5, 6, 70), index);
        compare(x -> Ops.indexSelect(x[0].transpose(0, 2), dim, x[1]), numbers(5, 6, 70), index);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void elementsByIndex(int dim) {
        long[] numbers = new long[3 * 5 * 60];
        Arrays.setAll(numbers, _ -> random.nextInt(4));
        Tensor index = Tensor.of(numbers, 3, 5, 60);
        Tensor x = numbers(4, 6, 70);
        compare(y -> Ops.gather(x.to(y[0].device()), dim, y[0]), index);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "mean", "sum"})
    void pointwiseLosses(String reduction) {
        compare(x -> Ops.mseLoss(x[0], x[1], reduction), numbers(90, 40), numbers(90, 40));
        compare(x -> Ops.l1Loss(x[0], x[1], reduction), numbers(90, 40), numbers(90, 40));
    }

    @Test
    void kindsOfNumbersAndMasks() {
        float inf = Float.POSITIVE_INFINITY;
        Tensor x = Tensor.of(1, Float.NaN, -inf, 0, inf, Float.MAX_VALUE);
        compare(y -> y[0].isnan().to(DType.INT32), x);
        compare(y -> y[0].isinf().to(DType.INT32), x);
        compare(y -> y[0].isfinite().to(DType.INT32), x);
        compare(y -> y[0].any().to(DType.INT32), numbers(90, 40).gt(0.49));
        compare(y -> y[0].all(1, false).to(DType.INT32), numbers(90, 3).gt(-0.4));
    }

    @Test
    void joinedTensors() {
        compare(x -> Ops.cat(List.of(x[0], x[1]), 1), numbers(30, 20), numbers(30, 50));
        compare(x -> Ops.stack(List.of(x[0], x[1]), 1), numbers(30, 20), numbers(30, 20));
    }
}
