package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;

/** Convolutions with strides, and their gradients, against sums that are computed one by one. */
class StridedConvolutionsTest {
    private static final int SEED = 17;
    private static final int CASES = 24;

    /** Extents of a convolution; each pair is vertical, horizontal. */
    private record Extents(
            int images,
            int groups,
            int channels,
            int outputs,
            int[] size,
            int[] kernel,
            int[] stride,
            int[] padding,
            int[] dilation) {

        /** {@return some of 16 and more channels a group, with a horizontal stride above one} */
        static Extents random(Random random) {
            int groups = random.nextInt(1, 3);
            int[] kernel = pair(random, 1, 4);
            int[] dilation = pair(random, 1, 3);
            int[] padding = pair(random, 0, 3);
            int[] size = pair(random, 7, 15);
            return new Extents(
                    random.nextInt(1, 3),
                    groups,
                    random.nextInt(16, 19),
                    random.nextInt(16, 19) * groups,
                    size,
                    kernel,
                    new int[] {random.nextInt(1, 4), random.nextInt(2, 4)},
                    padding,
                    dilation);
        }

        private static int[] pair(Random random, int least, int end) {
            return new int[] {random.nextInt(least, end), random.nextInt(least, end)};
        }

        int[] input() {
            return new int[] {images, channels * groups, size[0], size[1]};
        }

        int[] weight() {
            return new int[] {outputs, channels, kernel[0], kernel[1]};
        }

        int[] output() {
            return new int[] {images, outputs, out(0), out(1)};
        }

        private int out(int axis) {
            int reach = dilation[axis] * (kernel[axis] - 1) + 1;
            return (size[axis] + 2 * padding[axis] - reach) / stride[axis] + 1;
        }

        /** {@return the pixel that a weight meets at a position; negative outside the image} */
        int pixel(int axis, int position, int weight) {
            int pixel = position * stride[axis] - padding[axis] + weight * dilation[axis];
            return pixel < size[axis] ? pixel : -1;
        }
    }

    /** Uses the places of a pixel, a weight and an output that belong together. */
    private interface Term {
        void add(int pixel, int weight, int output);
    }

    private static void forEachTerm(Extents e, Term term) {
        int[] output = e.output();
        int perGroup = e.outputs / e.groups;
        for (int at = 0; at < Tensor.zeros(output).numel(); at++) {
            int x = at % output[3];
            int y = at / output[3] % output[2];
            int o = at / (output[3] * output[2]) % output[1];
            int first = (at / (output[3] * output[2] * output[1]) * e.groups + o / perGroup);
            for (int w = 0; w < e.channels * e.kernel[0] * e.kernel[1]; w++) {
                int row = e.pixel(0, y, w / e.kernel[1] % e.kernel[0]);
                int column = e.pixel(1, x, w % e.kernel[1]);
                int channel = first * e.channels + w / (e.kernel[1] * e.kernel[0]);
                if (row >= 0 && column >= 0) {
                    int pixel = (channel * e.size[0] + row) * e.size[1] + column;
                    term.add(pixel, o * e.channels * e.kernel[0] * e.kernel[1] + w, at);
                }
            }
        }
    }

    private static Tensor whole(Random random, DType dtype, int... shape) {
        return Tensor.randint(random, -4, 5, shape).to(dtype);
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT64"})
    void resultsAndGradientsAreThoseOfTheirSums(DType dtype) {
        var random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            Extents extents = Extents.random(random);
            check(extents, random, dtype, "seed " + SEED + ", case " + i + ": " + extents);
        }
    }

    private static void check(Extents e, Random random, DType dtype, String name) {
        Tensor x = whole(random, dtype, e.input()).requiresGrad(true);
        Tensor w = whole(random, dtype, e.weight()).requiresGrad(true);
        Tensor b = whole(random, dtype, e.outputs).requiresGrad(true);
        Tensor y = Ops.conv2d(x, w, b, e.stride, e.padding, e.dilation, e.groups);
        Tensor g = whole(random, dtype, e.output());
        y.backward(g);
        double[] pixels = x.detach().toDoubleArray();
        double[] weights = w.detach().toDoubleArray();
        double[] flow = g.toDoubleArray();
        double[] sums =
                Tensor.zeros(dtype, e.output())
                        .add(b.detach().reshape(1, e.outputs, 1, 1))
                        .toDoubleArray();
        double[] pixelGradient = new double[pixels.length];
        double[] weightGradient = new double[weights.length];
        forEachTerm(
                e,
                (pixel, weight, output) -> {
                    sums[output] += pixels[pixel] * weights[weight];
                    pixelGradient[pixel] += flow[output] * weights[weight];
                    weightGradient[weight] += flow[output] * pixels[pixel];
                });
        assertArrayEquals(e.output(), y.shape(), name);
        assertArrayEquals(sums, y.detach().toDoubleArray(), name);
        assertArrayEquals(pixelGradient, gradient(x), name);
        assertArrayEquals(weightGradient, gradient(w), name);
    }

    private static double[] gradient(Tensor leaf) {
        Tensor gradient = leaf.grad();
        return gradient == null ? new double[0] : gradient.toDoubleArray();
    }
}
