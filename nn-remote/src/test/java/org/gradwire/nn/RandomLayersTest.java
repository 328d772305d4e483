package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.nn.conv.Conv1d;
import org.gradwire.nn.conv.Conv2d;
import org.gradwire.nn.conv.Conv3d;
import org.gradwire.nn.conv.ConvTranspose1d;
import org.gradwire.nn.conv.ConvTranspose2d;
import org.gradwire.nn.internal.ConfigurationConstructors;
import org.gradwire.nn.internal.Repr;
import org.gradwire.nn.normalization.BatchNorm1d;
import org.gradwire.nn.recurrent.GRU;
import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.nn.recurrent.RNN;
import org.gradwire.nn.recurrent.RecurrentConfiguration;
import org.gradwire.nn.transformer.MultiheadAttention;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.DoubleStream;

/** Random numbers in layers: initial parameters, and the elements that dropout removes. */
class RandomLayersTest {

    private static final List<LongFunction<Module>> LAYERS =
            List.of(
                    seed -> new Linear(3, 4, seed),
                    seed -> new Bilinear(new Bilinear.Configuration(3, 4, 2, true), seed),
                    seed -> Conv1d.builder(2, 3, 3).build(seed),
                    seed -> new Conv2d(2, 3, 3, seed),
                    seed -> Conv3d.builder(2, 3, 3).build(seed),
                    seed -> ConvTranspose1d.builder(2, 3, 3).build(seed),
                    seed -> ConvTranspose2d.builder(2, 3, 3).build(seed),
                    seed -> new Embedding(5, 3, seed),
                    seed -> new EmbeddingBag(5, 3, "sum", seed),
                    seed -> new LSTM(recurrent(), seed),
                    seed -> new GRU(recurrent(), seed),
                    seed -> new RNN(new RNN.Configuration(recurrent(), "tanh"), seed),
                    seed -> MultiheadAttention.builder(4, 2).build(seed));

    private static final Map<Class<? extends Module>, Record> CONFIGURATIONS =
            Map.of(
                    Linear.class, new Linear.Configuration(2, 3, true),
                    Conv1d.class, Conv1d.builder(1, 2, 3).configuration(),
                    Conv2d.class, Conv2d.builder(1, 2, 3).configuration(),
                    Conv3d.class, Conv3d.builder(1, 2, 3).configuration(),
                    ConvTranspose1d.class, ConvTranspose1d.builder(1, 2, 3).configuration(),
                    ConvTranspose2d.class, ConvTranspose2d.builder(1, 2, 3).configuration(),
                    Embedding.class, Embedding.builder(2, 3).configuration(),
                    LSTM.class, recurrent(),
                    MultiheadAttention.class, MultiheadAttention.builder(4, 2).configuration());

    private static RecurrentConfiguration recurrent() {
        return LSTM.builder(3, 4).numLayers(2).dropout(0.5).configuration();
    }

    private static List<float[]> values(Module module) {
        return module.parameters().stream().map(Tensor::toFloatArray).toList();
    }

    @Test
    void parametersFollowFromTheSeed() {
        for (LongFunction<Module> layer : LAYERS) {
            Module module = layer.apply(7);
            String name = module.toString();
            List<float[]> first = values(module);
            List<float[]> again = values(layer.apply(7));
            List<float[]> other = values(layer.apply(8));
            boolean differs = false;
            for (int i = 0; i < first.size(); i++) {
                assertArrayEquals(first.get(i), again.get(i), name);
                differs |= !Arrays.equals(first.get(i), other.get(i));
            }
            assertTrue(differs, name);
        }
    }

    private static void assertBound(double bound, Tensor tensor) {
        double largest = DoubleStream.of(tensor.toDoubleArray()).map(Math::abs).max().orElseThrow();
        assertTrue(
                largest <= bound * (1 + 1e-6) && largest > 0.97 * bound,
                () -> largest + " beside " + bound);
    }

    @Test
    void layersBeginWithPyTorchsBounds() {
        var linear = new Linear(16, 300, 7);
        linear.parameters().forEach(parameter -> assertBound(0.25, parameter));
        var conv = Conv2d.builder(8, 200, new Size2d(2, 4)).groups(2).build(7);
        conv.parameters().forEach(parameter -> assertBound(1 / Math.sqrt(32), parameter));
        for (Module module :
                List.of(
                        Conv1d.builder(8, 400, 8).groups(2).build(7),
                        Conv3d.builder(8, 200, new Size3d(2, 4, 1)).groups(2).build(7),
                        ConvTranspose1d.builder(400, 8, 8).groups(2).build(7),
                        ConvTranspose2d.builder(400, 8, new Size2d(2, 4)).groups(2).build(7))) {
            assertBound(1 / Math.sqrt(32), module.parameters().getFirst());
        }
        var bilinear = new Bilinear(new Bilinear.Configuration(16, 5, 200, true), 7);
        bilinear.parameters().forEach(parameter -> assertBound(0.25, parameter));
        var lstm = LSTM.builder(20, 64).build(7);
        lstm.parameters().forEach(parameter -> assertBound(0.125, parameter));
        Map<String, Tensor> attention =
                MultiheadAttention.builder(40, 2).build(7).namedParameters();
        assertBound(Math.sqrt(6.0 / 160), requireNonNull(attention.get("in_proj_weight")));
        assertBound(1 / Math.sqrt(40), requireNonNull(attention.get("out_proj.weight")));
        assertArrayEquals(
                new float[120], requireNonNull(attention.get("in_proj_bias")).toFloatArray());
        assertArrayEquals(
                new float[40], requireNonNull(attention.get("out_proj.bias")).toFloatArray());
    }

    @Test
    void tablesBeginAsNormalNumbersAndZerosForPadding() {
        Tensor table = Embedding.builder(400, 50).paddingIdx(3).build(7).weight().detach();
        assertEquals(0, table.mean().item(), 0.02);
        assertEquals(1, table.std().item(), 0.02);
        assertArrayEquals(new float[50], table.select(0, 3).toFloatArray());
        Tensor bags = EmbeddingBag.builder(40, 5).paddingIdx(-1).build(7).weight();
        assertArrayEquals(new float[5], bags.select(0, 39).toFloatArray());
        assertFalse(bags.select(0, 38).allclose(Tensor.zeros(5)));
    }

    @Test
    void layersFromAConfigurationAloneWaitForTheirValues() {
        CONFIGURATIONS.forEach((type, configuration) ->
                ConfigurationConstructors.create(type, configuration)
                        .parameters()
                        .forEach(parameter ->
                                assertTrue(
                                        parameter.isnan().all().itemAsBoolean(), type::getName)));
    }

    @Test
    void dropoutFollowsFromItsSeedAndKeepsTheExpectation() {
        Tensor input = Tensor.ones(100, 100).requiresGrad(true);
        var layer = new Dropout(0.2, 7);
        Tensor first = layer.forward(input);
        Tensor second = layer.forward(input);
        assertEquals(1, first.detach().mean().item(), 0.02);
        assertEquals(0.2, first.eq(0).to(DType.FLOAT32).mean().item(), 0.02);
        assertTrue(first.maximum(Tensor.scalar(1.25f)).equal(Tensor.full(1.25f, 100, 100)));
        assertFalse(first.equal(second));
        var again = new Dropout(0.2, 7);
        assertTrue(again.forward(input).equal(first));
        assertTrue(again.forward(input).equal(second));
        first.sum().backward();
        assertTrue(requireNonNull(input.grad()).equal(first.detach()));
        layer.eval();
        assertSame(input, layer.forward(input));
        assertTrue(new Dropout(1, 7).forward(input).equal(Tensor.zeros(100, 100)));
        assertSame(input, new Dropout(0, 7).forward(input));
    }

    @Test
    void dropoutOnADeviceWithoutAKernelDrawsThatOfTheHost() {
        Device device = Device.parse("cuda:1");
        Tensor there = new Dropout(0.5, 7).forward(Tensor.ones(20).to(device));
        assertEquals(device, there.device());
        assertTrue(new Dropout(0.5, 7).forward(Tensor.ones(20)).equal(there.to(Device.CPU)));
    }

    @Test
    void dropoutBetweenRecurrentLayersActsInTrainingOnly() {
        Tensor input = Tensor.ones(4, 2, 3);
        var layers = new LSTM(recurrent(), 7);
        Tensor first = layers.forward(input).output();
        assertFalse(first.allclose(layers.forward(input).output()));
        assertTrue(first.equal(new LSTM(recurrent(), 7).forward(input).output()));
        layers.eval();
        assertTrue(layers.forward(input).output().equal(layers.forward(input).output()));
    }

    @Test
    void dropoutOfAttentionActsInTrainingOnly() {
        Tensor x = Tensor.ones(5, 2, 4);
        var layer = MultiheadAttention.builder(4, 2).dropout(0.5).build(7);
        Tensor first = layer.forward(x, x, x).output();
        assertFalse(first.allclose(layer.forward(x, x, x).output()));
        layer.eval();
        var weights = layer.forward(x, x, x).weights().orElseThrow();
        assertTrue(weights.allclose(Tensor.full(0.2f, 2, 5, 5)));
    }

    @Test
    void attentionOfFunctionsIsThatOfItsParts() {
        var random = new SplittableRandom(7);
        Tensor q = Tensor.randn(random, 2, 3, 4);
        Tensor k = Tensor.randn(random, 2, 5, 4);
        Tensor v = Tensor.randn(random, 2, 5, 6);
        Tensor counts = Tensor.of(true, true, false, true, false);
        Tensor scores = q.matmul(k.transpose(1, 2)).div(2);
        assertTrue(
                Functional.scaledDotProductAttention(q, k, v, null)
                        .allclose(scores.softmax(-1).matmul(v)));
        Tensor added = Tensor.of(0f, 0, Float.NEGATIVE_INFINITY, 0, Float.NEGATIVE_INFINITY);
        Tensor expected = scores.add(added).softmax(-1).matmul(v);
        for (Tensor mask : List.of(counts, added)) {
            Tensor found = Functional.scaledDotProductAttention(q, k, v, mask);
            assertTrue(found.allclose(expected), found::toString);
        }
    }

    @Test
    void batchNormsForgetWhatTheySaw() {
        var layer = new BatchNorm1d(2);
        var _ = layer.forward(Tensor.of(new float[][] {{1, 2}, {3, 5}}));
        assertEquals(1, layer.buffers().getLast().itemAsLong());
        layer.resetParameters();
        new BatchNorm1d(2)
                .stateDict()
                .forEach((path, tensor) ->
                        assertTrue(
                                tensor.equal(requireNonNull(layer.stateDict().get(path))), path));
    }

    @Test
    void modulesInAListAreChildren() {
        var list = new ModuleList<>(List.of(new Linear(2, 3, 1), new Linear(3, 2, 2)));
        assertEquals(2, list.size());
        assertEquals(
                List.of("0.weight", "0.bias", "1.weight", "1.bias"),
                List.copyOf(list.namedParameters().keySet()));
        Tensor x = Tensor.ones(1, 2);
        for (Linear layer : list) {
            x = layer.forward(x);
        }
        assertArrayEquals(new int[] {1, 2}, x.shape());
        assertSame(list.get(1), List.copyOf(list.children()).get(1));
        assertEquals(
                """
                ModuleList(
                  (0): Linear(in_features=2, out_features=3, bias=True)
                  (1): Linear(in_features=3, out_features=2, bias=True)
                )\
                """,
                list.toString());
    }

    @Test
    void numbersArePrintedAsPythonDoes() {
        assertEquals("1e-05", Repr.of(1e-5));
        assertEquals("1.5e-07", Repr.of(1.5e-7));
        assertEquals("0.0001", Repr.of(1e-4));
        assertEquals("0.1", Repr.of(0.1));
        assertEquals("0.0", Repr.of(0.0));
        assertEquals("12345678.5", Repr.of(12345678.5));
        assertEquals("20000000.0", Repr.of(2e7));
        assertEquals("1e+20", Repr.of(1e20));
        assertEquals("None", Repr.of(null));
        assertEquals("True", Repr.of(true));
        assertEquals("3", Repr.brief(3, 3));
        assertEquals("(3, 2)", Repr.brief(3, 2));
        assertEquals("(3, 3, 2)", Repr.tuple(3, 3, 2));
    }
}
