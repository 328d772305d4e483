package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.DeviceComparison.CUDA;
import static org.gradwire.tensor.operator.DeviceComparison.compare;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.testing.NeedsDevices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Convolutions, pooling and other operators of images and sequences on a device: the values and
 * gradients of the host, without copies where the device has the kernels.
 */
@NeedsDevices
@Isolated("copies to the host are counted for the whole JVM")
class DeviceImagesTest {
    private final Random random = new Random(7);

    /** {@return whether there are devices for this run} */
    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    private Tensor numbers(int... shape) {
        return DeviceComparison.numbers(random, shape);
    }

    private static int[] of(int... numbers) {
        return numbers;
    }

    @ParameterizedTest(name = "{0} images, {1} to {2} channels, {3} groups, kernel {4}, stride {5}")
    @CsvSource({
        "1, 3, 8, 1, 3, 1, 1, 1",
        "5, 3, 4, 1, 5, 2, 2, 1",
        "3, 4, 6, 2, 3, 1, 0, 2",
        "2, 6, 6, 6, 3, 2, 1, 1",
        "2, 8, 4, 1, 1, 1, 0, 1",
        "2, 8, 4, 2, 1, 1, 0, 1",
        "3, 2, 2, 1, 1, 2, 1, 1"
    })
    void convolutions(
            int images,
            int channels,
            int filters,
            int groups,
            int kernel,
            int stride,
            int padding,
            int dilation) {
        int[] strides = {stride, 1};
        int[] paddings = {padding, padding};
        int[] dilations = {1, dilation};
        Tensor weight = numbers(filters, channels / groups, kernel, kernel);
        compare(
                x -> Ops.conv2d(x[0], x[1], x[2], strides, paddings, dilations, groups),
                numbers(images, channels, 13, 17),
                weight,
                numbers(filters));
        compare(
                x -> Ops.conv2d(x[0], x[1], null, strides, paddings, dilations, groups),
                numbers(images, channels, 17, 13).transpose(2, 3),
                weight);
        Tensor turned = numbers(channels, filters / groups, kernel, kernel);
        compare(
                x ->
                        Ops.convTranspose2d(
                                x[0], x[1], null, strides, paddings, of(0), groups, dilations),
                numbers(images, channels, 9, 7),
                turned);
    }

    @Test
    void convolutionsOfLinesAndVolumes() {
        compare(
                x -> Ops.conv1d(x[0], x[1], x[2], of(2), of(1), of(1), 1),
                numbers(4, 3, 50),
                numbers(5, 3, 4),
                numbers(5));
        compare(
                x -> Ops.conv3d(x[0], x[1], x[2], of(1), of(1), of(1), 1),
                numbers(2, 2, 5, 6, 7),
                numbers(3, 2, 3, 3, 3),
                numbers(3));
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 0, 1, false", "3, 2, 1, 1, true", "3, 1, 1, 2, true", "5, 3, 2, 1, false"})
    void largestOfWindows(int kernel, int stride, int padding, int dilation, boolean ceil) {
        compare(
                x ->
                        Ops.maxPool2d(
                                x[0],
                                of(kernel, 2),
                                of(stride),
                                of(padding, 1),
                                of(dilation),
                                ceil),
                numbers(3, 4, 21, 30));
        compare(
                x ->
                        Ops.maxPool2dWithIndices(
                                        x[0],
                                        of(kernel),
                                        of(stride),
                                        of(padding),
                                        of(dilation),
                                        ceil)
                                .get(1)
                                .to(DType.INT32),
                numbers(3, 21, 30).mul(4).round());
    }

    @ParameterizedTest
    @CsvSource({
        "2, 2, 0, false, true, 0",
        "3, 2, 1, true, true, 0",
        "3, 2, 1, true, false, 0",
        "4, 3, 2, false, false, 7"
    })
    void averagesOfWindows(
            int kernel, int stride, int padding, boolean ceil, boolean counted, int divisor) {
        compare(
                x ->
                        Ops.avgPool2d(
                                x[0],
                                of(kernel, 2),
                                of(stride),
                                of(padding, 1),
                                ceil,
                                counted,
                                divisor == 0 ? null : Integer.valueOf(divisor)),
                numbers(3, 4, 21, 30));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4, 7", "21, 30", "30, 5"})
    void windowsThatDivideAnImage(int height, int width) {
        compare(x -> Ops.adaptiveAvgPool2d(x[0], of(height, width)), numbers(3, 4, 21, 30));
        compare(x -> Ops.adaptiveMaxPool2d(x[0], of(height, width)), numbers(2, 2, 21, 30));
    }

    @Test
    void groupsOfChannelsAreNormalized() {
        compare(
                x -> Ops.groupNorm(x[0], 3, x[1], x[2], 1e-5),
                numbers(4, 6, 9, 11),
                numbers(6),
                numbers(6));
        compare(x -> Ops.groupNorm(x[0], 2, null, null, 1e-5), numbers(4, 6, 50));
        compare(x -> Ops.groupNorm(x[0], 1, x[1], null, 1e-5), numbers(4, 6), numbers(6));
    }

    @Test
    void channelsOfBatchesAreNormalized() {
        Tensor mean = numbers(6);
        Tensor variance = numbers(6).abs().add(0.5).detach();
        for (boolean training : new boolean[] {true, false}) {
            compare(
                    x ->
                            Ops.batchNorm(
                                    x[0],
                                    x[1],
                                    x[2],
                                    mean.to(x[0].device()),
                                    variance.to(x[0].device()),
                                    training,
                                    0.1,
                                    1e-5),
                    numbers(4, 6, 9, 11),
                    numbers(6),
                    numbers(6));
        }
        compare(x -> Ops.batchNorm(x[0], null, null, null, null, true, 0.1, 1e-5), numbers(90, 6));
    }

    @Test
    void statisticsOfBatchesAreUpdated() {
        Tensor x = numbers(50, 3, 20);
        double[][] means = new double[2][];
        double[][] variances = new double[2][];
        for (int i = 0; i < 2; i++) {
            Tensor there = i == 0 ? x : x.to(CUDA);
            Tensor mean = Tensor.full(2f, 3).to(there.device());
            Tensor variance = Tensor.full(3f, 3).to(there.device());
            var _ = Ops.batchNorm(there, null, null, mean, variance, true, 0.25, 1e-5);
            means[i] = mean.toDoubleArray();
            variances[i] = variance.toDoubleArray();
        }
        assertArrayEquals(means[0], means[1], 1e-5);
        assertArrayEquals(variances[0], variances[1], 1e-5);
        assertEquals(1.5, means[1][0], 0.1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void runningSums(int dim) {
        compare(x -> Ops.cumsum(x[0], dim), numbers(7, 300, 5));
        compare(x -> Ops.cumsum(x[0], dim), numbers(3, 5, 1000));
        Tensor whole = numbers(6, 70, 8).mul(100).to(DType.INT64);
        compare(x -> Ops.cumsum(x[0], dim).to(DType.INT32), whole);
    }

    @ParameterizedTest
    @ValueSource(ints = {-30, -1, 0, 2, 50})
    void triangles(int diagonal) {
        compare(x -> Ops.tril(x[0], diagonal), numbers(3, 20, 40));
        compare(x -> Ops.triu(x[0], diagonal), numbers(40, 20));
        compare(x -> Ops.tril(x[0].gt(0), diagonal).to(DType.INT32), numbers(20, 20));
    }

    private Tensor indices(int below, int... shape) {
        long[] numbers = new long[Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
        Arrays.setAll(numbers, _ -> random.nextInt(below));
        return Tensor.of(numbers, shape);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void elementsPutAndAddedByIndex(int dim) {
        Tensor index = indices(4, 3, 5, 60);
        compare(x -> Ops.gather(x[0], dim, x[1]), numbers(4, 6, 70), index);
        compare(
                x -> Ops.scatter(x[0], dim, x[1], x[2]),
                numbers(4, 6, 70),
                index,
                numbers(4, 6, 70));
        compare(
                x -> Ops.scatterAdd(x[0], dim, x[1], x[2]),
                numbers(4, 6, 70),
                index,
                numbers(3, 5, 60));
        compare(
                x -> Ops.scatterAdd(x[0].transpose(0, 2), dim, x[1], x[0].transpose(0, 2)),
                numbers(4, 6, 70),
                indices(4, 50, 5, 3));
    }

    @Test
    void indicesOfMaximaAreTheCallers() {
        Tensor x = numbers(1, 1, 4, 4);
        double[][] gradients = new double[2][];
        for (int i = 0; i < 2; i++) {
            Tensor there = x.to(i == 0 ? Device.CPU : CUDA).detach().requiresGrad(true);
            List<Tensor> results =
                    Ops.maxPool2dWithIndices(there, of(2), of(2), of(0), of(1), false);
            results.get(1).add_(1);
            results.get(0).sum().backward();
            gradients[i] = DeviceComparison.gradient(there).toDoubleArray();
        }
        assertArrayEquals(gradients[0], gradients[1]);
    }

    @Test
    void weightsOfAnotherTypeAreConverted() {
        Tensor weight = numbers(6).to(DType.FLOAT64);
        Tensor x = numbers(2, 6, 5);
        int[] shape = {6};
        for (Device device : List.of(Device.CPU, CUDA)) {
            Tensor there = x.to(device);
            Tensor w = weight.to(device);
            Tensor groups = Ops.groupNorm(there, 3, w, w, 1e-5);
            assertEquals(DType.FLOAT32, groups.dtype());
            Tensor layers = Ops.layerNorm(there.transpose(1, 2), shape, w, w, 1e-5);
            assertEquals(DType.FLOAT32, layers.dtype());
            Tensor single = weight.to(DType.FLOAT32).to(device);
            double[] expected = Ops.groupNorm(there, 3, single, single, 1e-5).toDoubleArray();
            assertArrayEquals(expected, groups.toDoubleArray(), 1e-5);
        }
    }

    @Test
    void constantChannelsHaveNoVariance() {
        Tensor x = Tensor.full(1000f, 41, 2).to(CUDA);
        Tensor y = Ops.batchNorm(x, null, null, null, null, true, 0.1, 1e-5);
        assertArrayEquals(new double[82], y.toDoubleArray());
    }

    @Test
    void negativeZeroIsKept() {
        Tensor source = Tensor.of(-0f, 1f).to(CUDA);
        Tensor y = Ops.scatter(Tensor.zeros(2).to(CUDA), 0, Tensor.of(0L, 1L).to(CUDA), source);
        assertEquals(Double.NEGATIVE_INFINITY, y.reciprocal().toDoubleArray()[0]);
    }
}
