package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.activation.GELU;
import org.gradwire.nn.conv.Conv2d;
import org.gradwire.nn.normalization.BatchNorm1d;
import org.gradwire.nn.normalization.BatchNorm2d;
import org.gradwire.nn.normalization.BatchNormConfiguration;
import org.gradwire.nn.normalization.GroupNorm;
import org.gradwire.nn.normalization.InstanceNorm1d;
import org.gradwire.nn.normalization.InstanceNorm2d;
import org.gradwire.nn.normalization.InstanceNorm3d;
import org.gradwire.nn.normalization.LayerNorm;
import org.gradwire.nn.pooling.AdaptiveAvgPool1d;
import org.gradwire.nn.pooling.AdaptiveAvgPool2d;
import org.gradwire.nn.pooling.AdaptiveMaxPool2d;
import org.gradwire.nn.pooling.AvgPool1d;
import org.gradwire.nn.pooling.AvgPool2d;
import org.gradwire.nn.pooling.MaxPool1d;
import org.gradwire.nn.pooling.MaxPool2d;
import org.gradwire.nn.recurrent.GRU;
import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.nn.recurrent.RNN;
import org.gradwire.nn.transformer.MultiheadAttention;
import org.gradwire.nn.transformer.MultiheadAttention.Options;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/** Options and inputs that layers refuse, and the error texts. */
class LayerOptionsTest {

    private static Arguments row(String text, Executable action) {
        return Arguments.of(text, action);
    }

    static Stream<Arguments> options() {
        return Stream.of(
                row("in1Features should be at least 1, got 0", () -> new Bilinear(0, 1, 1)),
                row("outChannels should be at least 1, got -1", () -> new Conv2d(1, -1, 3)),
                row("kernelSize should be at least 1, got (0, 0)", () -> new Conv2d(1, 1, 0)),
                row(
                        "inChannels must be divisible by groups: 3 and 2",
                        () -> Conv2d.builder(3, 4, 3).groups(2).build()),
                row(
                        "outChannels must be divisible by groups: 3 and 2",
                        () -> Conv2d.builder(4, 3, 3).groups(2).build()),
                row(
                        "stride should be at least 1, got (1, 0)",
                        () -> Conv2d.builder(4, 3, 3).stride(new Size2d(1, 0)).build()),
                row(
                        "padding should be at least 0, got (-1, -1)",
                        () -> Conv2d.builder(4, 3, 3).padding(-1).build()),
                row("stride should be at least 1, got (0, 0)", () -> new MaxPool2d(2, 0, 0)),
                row("padding should be at least 0, got (-1, -1)", () -> new AvgPool2d(2, 1, -1)),
                row("padding should be at least 0, got -1", () -> new MaxPool1d(2).padding(-1)),
                row("dilation should be at least 1, got 0", () -> new MaxPool1d(2).dilation(0)),
                row(
                        "pad should be at most half of kernel size, but got pad=2 and kernelSize=3",
                        () -> new MaxPool1d(3).padding(2)),
                row(
                        "pad should be at most half of kernel size, but got pad=2 and kernelSize=2",
                        () -> new AvgPool1d(2).padding(2)),
                row("padding should be at least 0, got -1", () -> new AvgPool1d(2).padding(-1)),
                row(
                        "pad should be at most half of kernel size, but got pad=1 and kernelSize=1",
                        () -> new MaxPool2d(new Size2d(2, 1)).stride(1).padding(1)),
                row(
                        "pad should be at most half of kernel size, but got pad=2 and kernelSize=2",
                        () -> new AvgPool2d(2, 1, 2)),
                row(
                        "outputSize should be at least 0, got (-2, -2)",
                        () -> new AdaptiveAvgPool2d(-2)),
                row(
                        "outputSize should be at least 0, got (-1, 2)",
                        () -> new AdaptiveMaxPool2d(new Size2d(-1, 2))),
                row("outputSize should be at least 0, got -1", () -> new AdaptiveAvgPool1d(-1)),
                row("upscaleFactor should be at least 1, got 0", () -> new PixelShuffle(0)),
                row("downscaleFactor should be at least 1, got -1", () -> new PixelUnshuffle(-1)),
                row("divisor must be not zero", () -> new AvgPool2d(1).divisorOverride(0)),
                row("numFeatures should be at least 1, got 0", () -> new BatchNorm1d(0)),
                row(
                        "momentum should be between 0 and 1, got 1.5",
                        () -> BatchNormConfiguration.of(2).momentum(1.5)),
                row(
                        "Expected normalizedShape to be at least 1-dimensional, but got []",
                        () -> new LayerNorm.Configuration(List.of(), 1e-5, true)),
                row("normalizedShape should be at least 1, got 0", () -> new LayerNorm(0)),
                row(
                        "numChannels must be divisible by numGroups: 3 and 2",
                        () -> new GroupNorm(2, 3)),
                row(
                        "dropout probability has to be between 0 and 1, but got 1.5",
                        () -> new Dropout(1.5)),
                row(
                        "approximate argument must be either none or tanh; it is 'fast'",
                        () -> new GELU("fast")),
                row("numEmbeddings should be at least 1, got 0", () -> new Embedding(0, 1)),
                row(
                        "paddingIdx -4 must name one of the 3 vectors of the table; negative ones count from the end",
                        () -> Embedding.builder(3, 1).paddingIdx(-4).build()),
                row(
                        "maxNorm should be positive, got 0.0",
                        () -> Embedding.builder(3, 1).maxNorm(0).build()),
                row(
                        "a sparse gradient cannot be scaled by frequency; take one of the two options",
                        () -> Embedding.builder(3, 1).sparse(true).scaleGradByFreq(true).build()),
                row(
                        "max mode does not support sparse weights; take sum or mean, or a dense gradient",
                        () -> EmbeddingBag.builder(3, 1).mode("max").sparse(true).build()),
                row(
                        "a gradient cannot be scaled by frequency where it is sparse or the mode is max",
                        () -> EmbeddingBag.builder(3, 1).mode("max").scaleGradByFreq(true).build()),
                row("hiddenSize should be at least 1, got 0", () -> new LSTM(1, 0)),
                row(
                        "dropout acts between layers and needs more than one; got dropout=0.5 and numLayers=1",
                        () -> GRU.builder(1, 1).dropout(0.5).build()),
                row(
                        "Unknown nonlinearity 'sine'; take tanh or relu",
                        () -> RNN.builder(1, 1, "sine").build()),
                row(
                        "embedDim must be divisible by numHeads: 5 and 2",
                        () -> new MultiheadAttention(5, 2)));
    }

    static Stream<Arguments> inputs() {
        Tensor indices = Tensor.of(0L, 1, 2);
        var sparseBag = EmbeddingBag.builder(3, 1).sparse(true).paddingIdx(0).build(1);
        var attention = new MultiheadAttention(4, 2);
        Tensor x = Tensor.ones(3, 2, 4);
        return Stream.of(
                row(
                        "mat1 and mat2 shapes cannot be multiplied (1x3 and 2x4)",
                        () -> new Linear(2, 4).forward(Tensor.ones(1, 3))),
                row(
                        "expected 2D or 3D input (got 4D input)",
                        () -> new BatchNorm1d(2).forward(Tensor.ones(1, 2, 3, 4))),
                row(
                        "expected 4D input (got 2D input)",
                        () -> new BatchNorm2d(2).forward(Tensor.ones(1, 2))),
                row(
                        "Expected more than 1 spatial element when training, got input size [2, 2, 1]",
                        () -> new InstanceNorm1d(2).forward(Tensor.ones(2, 2, 1))),
                row(
                        "Expected more than 1 spatial element when training, got input size [1, 2, 1, 1]",
                        () -> new InstanceNorm2d(2).forward(Tensor.ones(2, 1, 1))),
                row(
                        "expected 4D or 5D input (got 3D input)",
                        () -> new InstanceNorm3d(2).forward(Tensor.ones(2, 1, 1))),
                row(
                        "expected input's size at dim=1 to match numFeatures (2), but got: 3",
                        () -> new InstanceNorm1d(2).forward(Tensor.ones(2, 3, 4))),
                row(
                        "Expected more than 1 value per channel when training, got input size [1, 2]",
                        () -> new BatchNorm1d(2).forward(Tensor.ones(1, 2))),
                row(
                        "expected input[1, 2, 5, 5] to have 3 channels, but got 2 channels instead",
                        () -> new Conv2d(3, 1, 3).forward(Tensor.ones(1, 2, 5, 5))),
                row(
                        "without offsets, indices have to be [bags, length]; got [3]",
                        () -> sparseBag.forward(indices)),
                row(
                        "offsets must start at 0, must not decrease and must not exceed the number of indices, 3; they are [0, 4]",
                        () -> sparseBag.forward(indices, Tensor.of(0L, 4))),
                row(
                        "offsets must start at 0, must not decrease and must not exceed the number of indices, 3; they are [1]",
                        () -> sparseBag.forward(indices, Tensor.of(1L))),
                row(
                        "LSTM: Expected input to be 2-D or 3-D but received 1-D tensor",
                        () -> new LSTM(3, 4).forward(Tensor.ones(3))),
                row(
                        "input.size(-1) must be equal to inputSize. Expected 3, got 2",
                        () -> new GRU(3, 4).forward(Tensor.ones(5, 2))),
                row(
                        "Expected sequence length to be larger than 0",
                        () -> new RNN(3, 4).forward(Tensor.ones(0, 2, 3))),
                row(
                        "Expected hidden[1] size [1, 2, 4], got [1, 2, 3]",
                        () ->
                                new LSTM(3, 4)
                                        .forward(
                                                Tensor.ones(5, 2, 3),
                                                new LSTM.State(
                                                        Tensor.ones(1, 2, 4),
                                                        Tensor.ones(1, 2, 3)))),
                row(
                        "query should be unbatched 2D or batched 3D tensor but received 1-D query tensor",
                        () -> attention.forward(Tensor.ones(4), x, x)),
                row(
                        "For a 3-D query, expected key and value to be 3-D but found 2-D and 3-D tensors respectively",
                        () -> attention.forward(x, Tensor.ones(2, 4), x)),
                row(
                        "was expecting a last dimension of 4 of the key, but got [3, 2, 5]",
                        () -> attention.forward(x, Tensor.ones(3, 2, 5), x)),
                row(
                        "key's sequence and batch dims [5, 2, 4] do not match value's [3, 2, 4]",
                        () -> attention.forward(x, Tensor.ones(5, 2, 4), x)),
                row(
                        "The shape of the attnMask is [3, 4], but should be [3, 3] or [4, 3, 3]",
                        () ->
                                attention.forward(
                                        x, x, x, new Options().withAttnMask(Tensor.ones(3, 4)))),
                row(
                        "expecting keyPaddingMask shape of [2, 3], but got [3, 2]",
                        () ->
                                attention.forward(
                                        x,
                                        x,
                                        x,
                                        new Options().withKeyPaddingMask(Tensor.ones(3, 2)))),
                row(
                        "a class must be at least 0 and less than numClasses, but is 2 of 2",
                        () -> Functional.oneHot(indices, 2)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"options", "inputs"})
    void whatDoesNotFitIsRefused(String text, Executable action) {
        var e = assertThrows(IllegalArgumentException.class, action);
        assertTrue(String.valueOf(e.getMessage()).contains(text), e::getMessage);
    }

    @Test
    void biasThatIsNotThereIsSaidSo() {
        var layer = new Linear(new Linear.Configuration(2, 3, false), 1);
        var e = assertThrows(IllegalStateException.class, layer::bias);
        assertEquals(
                "Linear(in_features=2, out_features=3, bias=False) has no bias", e.getMessage());
    }
}
