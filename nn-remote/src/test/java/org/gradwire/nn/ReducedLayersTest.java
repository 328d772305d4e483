package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.Autocast;
import org.gradwire.nn.conv.Conv2d;
import org.gradwire.nn.normalization.BatchNorm2d;
import org.gradwire.nn.normalization.LayerNorm;
import org.gradwire.nn.recurrent.GRU;
import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.nn.transformer.MultiheadAttention;
import org.gradwire.optim.ASGD;
import org.gradwire.optim.Adadelta;
import org.gradwire.optim.Adagrad;
import org.gradwire.optim.Adam;
import org.gradwire.optim.AdamW;
import org.gradwire.optim.Adamax;
import org.gradwire.optim.NAdam;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.RAdam;
import org.gradwire.optim.RMSprop;
import org.gradwire.optim.Rprop;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Modules whose parameters are of float16 or bfloat16. */
class ReducedLayersTest {

    /** A layer, how it is run, and an input. */
    private record Sample(Module layer, UnaryOperator<Tensor> run, Tensor input) {

        Sample(Module layer, UnaryOperator<Tensor> run, int... shape) {
            this(layer, run, Tensor.randn(new SplittableRandom(4), shape));
        }
    }

    private static List<Sample> samples() {
        var linear = new Linear(3, 4);
        var convolution = Conv2d.builder(3, 2, new Size2d(3)).padding(1).build();
        var batchNorm = new BatchNorm2d(3);
        var layerNorm = new LayerNorm(3);
        var attention = MultiheadAttention.builder(4, 2).build();
        var lstm = new LSTM(3, 4);
        var gru = new GRU(3, 4);
        return List.of(
                new Sample(linear, linear::forward, 2, 3),
                new Sample(convolution, convolution::forward, 2, 3, 4, 4),
                new Sample(batchNorm, batchNorm::forward, 2, 3, 4, 4),
                new Sample(layerNorm, layerNorm::forward, 2, 3),
                new Sample(attention, x -> attention.forward(x, x, x).output(), 3, 2, 4),
                new Sample(lstm, x -> lstm.forward(x).output(), 5, 2, 3),
                new Sample(gru, x -> gru.forward(x).output(), 5, 2, 3));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16"})
    void layersComputeInTheTypeOfTheirParameters(DType dtype) {
        for (Sample sample : samples()) {
            String name = sample.layer.getClass().getSimpleName();
            Tensor x = sample.input.to(dtype);
            sample.layer.to(dtype);
            Tensor y = sample.run.apply(x);
            assertEquals(dtype, y.dtype(), name);
            y.mul(y).sum().backward();
            for (Tensor parameter : sample.layer.parameters()) {
                Tensor gradient = parameter.grad();
                assertNotNull(gradient, name);
                assertEquals(dtype, gradient.dtype(), name);
                assertTrue(gradient.isfinite().all().itemAsBoolean(), name);
            }
            sample.layer.to(DType.FLOAT32);
            Tensor wide = sample.run.apply(x.to(DType.FLOAT32));
            assertTrue(y.allclose(wide, 0.05, 0.05), name + ": " + y + " for " + wide);
        }
    }

    private static List<Optimizer<?>> optimizers(List<Tensor> parameters) {
        return List.of(
                new SGD(parameters, 0.05, 0.9),
                new Adam(parameters, Adam.options(0.03)),
                new AdamW(parameters, AdamW.options(0.03)),
                new Adamax(parameters, Adamax.options(0.03)),
                new NAdam(parameters, NAdam.options(0.03)),
                new RAdam(parameters, RAdam.options(0.03)),
                new Adagrad(parameters, Adagrad.options(0.1)),
                new Adadelta(parameters, Adadelta.options(1)),
                new RMSprop(parameters, RMSprop.options(0.01)),
                new Rprop(parameters, Rprop.options(0.01)),
                new ASGD(parameters, ASGD.options(0.05)));
    }

    @Test
    void eachOptimizerTrainsAndKeepsTheType() {
        Tensor x = Tensor.randn(new SplittableRandom(8), 32, 3).to(DType.BFLOAT16);
        Tensor target = x.matmul(Tensor.of(1f, -2, 0.5f).to(DType.BFLOAT16)).unsqueeze(1);
        int count = optimizers(new Linear(3, 1).parameters()).size();
        for (int i = 0; i < count; i++) {
            var model = new Linear(new Linear.Configuration(3, 1, true), 5);
            model.to(DType.BFLOAT16);
            Optimizer<?> optimizer = optimizers(model.parameters()).get(i);
            double first = loss(model, x, target).item();
            for (int step = 0; step < 60; step++) {
                optimizer.zeroGrad();
                loss(model, x, target).backward();
                optimizer.step();
            }
            double last = loss(model, x, target).item();
            String name = optimizer.getClass().getSimpleName();
            assertTrue(last < 0.8 * first, name + ": " + first + " to " + last);
            assertEquals(DType.BFLOAT16, model.parameters().getFirst().dtype(), name);
        }
    }

    private static Tensor loss(Linear model, Tensor x, Tensor target) {
        Tensor difference = model.forward(x).sub(target);
        return difference.mul(difference).mean();
    }

    @Test
    void stateIsSavedAndLoadedInItsType(@TempDir Path folder) throws IOException {
        var model = new Linear(3, 2);
        model.to(DType.FLOAT16);
        Path file = folder.resolve("model.safetensors");
        SafeTensors.save(file, model.stateDict());
        var other = new Linear(3, 2);
        other.to(DType.FLOAT16);
        other.loadStateDict(SafeTensors.load(file));
        for (int i = 0; i < 2; i++) {
            assertTrue(model.parameters().get(i).equal(other.parameters().get(i)));
        }
        var wide = new Linear(3, 2);
        wide.loadStateDict(SafeTensors.load(file));
        assertEquals(DType.FLOAT32, wide.parameters().getFirst().dtype());
        assertTrue(model.parameters().getFirst().allclose(wide.parameters().getFirst(), 0, 0));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16"})
    void layersOfFloat32RunUnderAutocast(DType dtype) {
        for (Sample sample : samples()) {
            String name = sample.layer.getClass().getSimpleName();
            double[] expected = sample.run.apply(sample.input).detach().toDoubleArray();
            Tensor output;
            try (var _ = Autocast.enable(dtype)) {
                output = sample.run.apply(sample.input);
            }
            double[] actual = output.detach().toDoubleArray();
            assertArrayEquals(expected, actual, 0.05, name);
            output.to(DType.FLOAT32).sum().backward();
            for (Tensor parameter : sample.layer.parameters()) {
                Tensor gradient = parameter.grad();
                assertNotNull(gradient, name);
                assertEquals(DType.FLOAT32, gradient.dtype(), name);
            }
        }
    }

    /** The products of elements would overflow in float16. */
    @Test
    void similaritiesOfReducedVectorsUnderAutocastAreFinite() {
        Tensor x = Tensor.full(300f, 2, 4).to(DType.FLOAT16);
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            Tensor similarity = Functional.cosineSimilarity(x, x, 1, 1e-8);
            assertEquals(DType.FLOAT32, similarity.dtype());
            assertArrayEquals(new double[] {1, 1}, similarity.toDoubleArray(), 1e-6);
        }
    }
}
