package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.conv.Conv1d;
import org.gradwire.nn.conv.Conv3d;
import org.gradwire.nn.conv.ConvTranspose1d;
import org.gradwire.nn.internal.ConfigurationConstructors;
import org.gradwire.nn.loss.KLDivLoss;
import org.gradwire.nn.loss.L1Loss;
import org.gradwire.nn.loss.Loss;
import org.gradwire.nn.loss.MSELoss;
import org.gradwire.nn.normalization.BatchNorm3d;
import org.gradwire.nn.normalization.InstanceNorm1d;
import org.gradwire.nn.normalization.InstanceNorm3d;
import org.gradwire.nn.pooling.AdaptiveAvgPool1d;
import org.gradwire.nn.transformer.TransformerConfiguration;
import org.gradwire.nn.transformer.TransformerDecoder;
import org.gradwire.nn.transformer.TransformerEncoder;
import org.gradwire.nn.transformer.TransformerEncoderLayer;
import org.gradwire.optim.Adam;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/** Properties of layers without records of PyTorch: seeds, wrong options, sizes, names. */
class MoreLayersTest {
    private static final TransformerConfiguration SMALL =
            TransformerConfiguration.of(4, 2).dimFeedforward(5);

    private static final Map<String, LongFunction<Module>> LAYERS =
            Map.of(
                    "TransformerEncoderLayer", seed -> new TransformerEncoderLayer(SMALL, seed),
                    "TransformerEncoder", seed -> new TransformerEncoder(SMALL, 2, seed),
                    "TransformerDecoder", seed -> new TransformerDecoder(SMALL, 2, seed));

    private static void assertRefused(String message, Executable action) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
    }

    private static boolean same(Module a, Module b) {
        List<Tensor> first = a.parameters();
        List<Tensor> second = b.parameters();
        for (int i = 0; i < first.size(); i++) {
            if (!first.get(i).equal(second.get(i))) {
                return false;
            }
        }
        return first.size() == second.size();
    }

    @Test
    void parametersFollowFromTheSeed() {
        LAYERS.forEach((name, layer) -> {
            assertTrue(same(layer.apply(7), layer.apply(7)), name);
            assertFalse(same(layer.apply(7), layer.apply(8)), name);
        });
    }

    @Test
    void layersOfATransformerHaveParametersOfTheirOwn() {
        var encoder = new TransformerEncoder(SMALL, 2, 7);
        Map<String, Tensor> named = encoder.namedParameters();
        Tensor first = named.get("layers.0.linear1.weight");
        Tensor second = named.get("layers.1.linear1.weight");
        assertTrue(first != null && second != null && !first.equal(second));
    }

    @Test
    void layersFromAConfigurationAloneWaitForTheirValues() {
        var layer = ConfigurationConstructors.create(TransformerEncoderLayer.class, SMALL);
        assertTrue(
                layer.namedParameters().entrySet().stream()
                        .filter(entry -> !entry.getKey().startsWith("norm"))
                        .allMatch(entry -> entry.getValue().isnan().all().itemAsBoolean()));
    }

    @Test
    void dropoutOfATransformerIsForTraining() {
        var layer = new TransformerEncoderLayer(SMALL.dropout(0.5), 7);
        Tensor x = Tensor.arange(0.0, 8, 1).to(DType.FLOAT32).view(2, 1, 4);
        assertFalse(layer.forward(x).equal(layer.forward(x)));
        layer.eval();
        assertTrue(layer.forward(x).equal(layer.forward(x)));
    }

    @Test
    void wrongOptionsAreRefused() {
        assertRefused(
                "inChannels must be divisible by groups: 3 and 2",
                () -> Conv1d.builder(3, 4, 1).groups(2).build());
        assertRefused("kernelSize should be at least 1, got 0", () -> new Conv1d(1, 1, 0));
        assertRefused(
                "stride should be at least 1, got (1, 0, 1)",
                () -> Conv3d.builder(1, 1, 1).stride(new Size3d(1, 0, 1)).build());
        assertRefused(
                "outputPadding should be at least 0, got -1",
                () -> ConvTranspose1d.builder(1, 1, 1).outputPadding(-1).build());
        assertRefused("activation should be relu/gelu, not tanh", () -> SMALL.activation("tanh"));
        assertRefused(
                "avg is not a valid value for reduction; expected none, mean or sum",
                () -> new MSELoss("avg"));
        assertRefused(
                "batchmean is not a valid value for reduction; expected none, mean or sum",
                () -> new L1Loss("batchmean"));
        assertRefused(
                "expected 4D or 5D input (got 3D input)",
                () -> new InstanceNorm3d(2).forward(Tensor.ones(1, 2, 3)));
        assertRefused(
                "expected input's size at dim=1 to match numFeatures (2), but got: 3",
                () -> new InstanceNorm1d(2).forward(Tensor.ones(1, 3, 3)));
        assertRefused(
                "expected 5D input (got 4D input)",
                () -> new BatchNorm3d(2).forward(Tensor.ones(1, 2, 3, 3)));
    }

    @Test
    void singleSamplesAreNormalizedToo() {
        Tensor x = Tensor.of(new float[] {1, 3, 2, 6}, 2, 2);
        assertArrayEquals(
                new float[] {-1, 1, -1, 1}, new InstanceNorm1d(2).forward(x).toFloatArray(), 1e-4f);
    }

    @Test
    void sizesOfAnInterpolationAreGivenOrMultiplied() {
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 1, 1, 4);
        assertArrayEquals(
                new float[] {1, 1, 2, 3, 3, 4},
                Functional.interpolate(x, new int[] {6}, "nearest", false).toFloatArray());
        assertArrayEquals(
                new float[] {1, 2.5f, 4},
                Functional.interpolate(x, new int[] {3}, "linear", true).toFloatArray(),
                1e-6f);
        assertArrayEquals(new int[] {1, 1, 10}, new Upsample(2.5).forward(x).shape());
        assertRefused(
                "interpolate: mode bilinear needs an input of 4 dimensions and as many sizes as follow the first two; got input [1, 1, 4] and size [3]",
                () -> Functional.interpolate(x, new int[] {3}, "bilinear", false));
        assertRefused(
                "interpolate: unknown mode 'cubic'; expected nearest, linear, bilinear or trilinear",
                () -> Functional.interpolate(x, new int[] {3}, "cubic", false));
        assertRefused(
                "alignCorners can be set only with the interpolating modes: linear, bilinear and trilinear",
                () -> new Upsample(2, "nearest", true));
        assertRefused(
                "Input and output sizes should be greater than 0, but got input [1, 1, 4] and output [0]",
                () -> Functional.interpolate(x, new int[] {0}, "nearest", false));
    }

    @Test
    void modulesAreFoundByName() {
        Map<String, Module> parts = new LinkedHashMap<>();
        var linear = new Linear(2, 3);
        parts.put("first", linear);
        parts.put("second", new Dropout(0.5));
        var dict = new ModuleDict<>(parts);
        assertSame(linear, dict.get("first"));
        assertEquals(List.of("first", "second"), List.copyOf(dict.names()));
        assertEquals(
                List.of("first.weight", "first.bias"),
                List.copyOf(dict.namedParameters().keySet()));
        assertEquals(
                "ModuleDict(\n  (first): Linear(in_features=2, out_features=3, bias=True)\n  (second): Dropout(p=0.5)\n)",
                dict.toString());
        assertRefused(
                "there is no module 'third'; there are [first, second]", () -> dict.get("third"));
    }

    @Test
    void aSmallTransformerLearns() {
        var model = new TransformerEncoder(SMALL.dropout(0), 1, 7);
        Tensor x = Tensor.randn(new SplittableRandom(7), 3, 2, 4);
        Tensor target = Tensor.randn(new SplittableRandom(8), 3, 2, 4);
        var optimizer = new Adam(model.parameters(), 0.01);
        Loss loss = new MSELoss();
        double before = loss.forward(model.forward(x), target).item();
        for (int i = 0; i < 60; i++) {
            var _ =
                    optimizer.step(() -> {
                        optimizer.zeroGrad();
                        Tensor error = loss.forward(model.forward(x), target);
                        error.backward();
                        return error;
                    });
        }
        double after = loss.forward(model.forward(x), target).item();
        assertTrue(after < before / 2, before + " became " + after);
    }

    @Test
    void emptyInputsOfNormsAndLossesGiveWhatPyTorchGives() {
        for (int[] shape : List.of(new int[] {0, 2, 3}, new int[] {2, 2, 0})) {
            assertArrayEquals(shape, new InstanceNorm1d(2).forward(Tensor.zeros(shape)).shape());
        }
        var loss = new KLDivLoss(false, "batchmean");
        Tensor empty = Tensor.zeros(0, 3);
        assertEquals(Double.NaN, loss.forward(empty, empty).item());
        assertEquals(-1, loss.forward(Tensor.scalar(1f), Tensor.scalar(1f)).item());
        assertEquals(0, new KLDivLoss(false, "sum").forward(empty, empty).item());
        assertArrayEquals(
                new int[] {1, 2, 0},
                new AdaptiveAvgPool1d(0).forward(Tensor.ones(1, 2, 6)).shape());
    }
}
