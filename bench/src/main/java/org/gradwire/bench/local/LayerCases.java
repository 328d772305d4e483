package org.gradwire.bench.local;

import static org.gradwire.bench.local.OperatorCase.both;
import static org.gradwire.bench.local.OperatorCase.forward;
import static org.gradwire.bench.local.OperatorCase.rand;
import static org.gradwire.bench.local.OperatorCase.rands;

import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Products of matrices, convolutions, pooling, recurrent layers and attention. */
final class LayerCases {
    private static final int WIDTH = 256;
    private static final int CHANNELS = 64;
    private static final int[] IMAGES = {16, CHANNELS, 28, 28};
    private static final int[] HEADS = {32, 128, 64};

    private LayerCases() {}

    static List<OperatorCase> all() {
        return List.of(
                forward("matmul.int64", LayerCases::integers, t -> t.get(0).matmul(t.get(1))),
                both(
                        "bmm",
                        rands(new int[] {256, 16, 32}, new int[] {256, 32, 16}),
                        t -> t.get(0).bmm(t.get(1))),
                recurrent(),
                both("attention", rands(HEADS, HEADS, HEADS), LayerCases::attention),
                convolution("conv1x1", 1, 1, 1),
                convolution("conv3x3.stride2", 3, 2, 1),
                convolution("conv3x3.depthwise", 3, 1, CHANNELS),
                both("maxpool", rand(IMAGES), LayerCases::pool));
    }

    private static List<Tensor> integers() {
        var random = new Random(1);
        Tensor a = Tensor.randint(random, 0, 256, WIDTH, WIDTH);
        return List.of(a, Tensor.randint(random, 0, 256, WIDTH, WIDTH));
    }

    /** {@return one step of 64 sequences} */
    private static OperatorCase recurrent() {
        Supplier<List<Tensor>> operands = rand(1, 64, WIDTH);
        var layer = new LSTM(WIDTH, WIDTH);
        return both("lstm", operands, t -> layer.forward(t.getFirst()).output());
    }

    private static Tensor attention(List<Tensor> t) {
        double scale = 1 / Math.sqrt(HEADS[2]);
        Tensor scores = t.get(0).mul(scale).matmul(t.get(1).transpose(1, 2));
        return scores.softmax(-1).matmul(t.get(2));
    }

    private static OperatorCase convolution(String name, int kernel, int stride, int groups) {
        int[] strides = {stride, stride};
        int[] padding = {kernel / 2, kernel / 2};
        int[] dilation = {1, 1};
        int[] weight = {CHANNELS, CHANNELS / groups, kernel, kernel};
        return both(
                name,
                rands(IMAGES, weight, new int[] {CHANNELS}),
                t -> Ops.conv2d(t.get(0), t.get(1), t.get(2), strides, padding, dilation, groups));
    }

    private static Tensor pool(List<Tensor> t) {
        int[] two = {2, 2};
        return Ops.maxPool2d(t.getFirst(), two, two, new int[] {0, 0}, new int[] {1, 1}, false);
    }
}
