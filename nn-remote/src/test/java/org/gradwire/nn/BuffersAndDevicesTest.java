package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.nn.activation.ReLU;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Buffers, shared parts, and modules that move. */
class BuffersAndDevicesTest {

    /** Scales by a parameter, counts how often, and keeps something for itself. */
    private static final class Counting extends Module implements Layer {
        private final Tensor scale = registerParameter("scale", Tensor.full(2f));
        private final Tensor calls = registerBuffer("calls", Tensor.scalar(0));
        private final Tensor mean = registerBuffer("mean", Tensor.zeros(2));
        private final Tensor last = registerBuffer("last", Tensor.zeros(2), false);

        @Override
        public Tensor forward(Tensor input) {
            calls.add_(1);
            mean.add_(input.detach());
            last.copy_(input.detach());
            return input.mul(scale);
        }
    }

    private static Sequential model() {
        return new Sequential(new Counting(), new Linear(2, 1, 7));
    }

    @Test
    void buffersAreNoParameters() {
        var model = model();
        assertEquals(
                List.of("0.scale", "1.weight", "1.bias"),
                List.copyOf(model.namedParameters().keySet()));
        assertEquals(
                List.of("0.calls", "0.mean", "0.last"), List.copyOf(model.namedBuffers().keySet()));
        assertEquals(List.copyOf(model.namedBuffers().values()), model.buffers());
        assertEquals(Map.of(), model.namedBuffers(false));
        assertEquals(Map.of(), model.namedParameters(false));
        assertEquals(List.of("scale"), List.copyOf(new Counting().namedParameters(false).keySet()));
        assertTrue(model.buffers().stream().noneMatch(Tensor::requiresGrad));
    }

    @Test
    void persistentBuffersAreSavedAndLoaded(@TempDir Path folder) throws IOException {
        var from = model();
        var _ = from.forward(Tensor.of(3f, 4f));
        assertEquals(
                List.of("0.scale", "0.calls", "0.mean", "1.weight", "1.bias"),
                List.copyOf(from.stateDict().keySet()));
        Path file = folder.resolve("model.safetensors");
        from.save(file);
        var to = model();
        Tensor calls = to.buffers().getFirst();
        to.load(file);
        assertSame(calls, to.buffers().getFirst());
        assertEquals(1, calls.itemAsLong());
        assertArrayEquals(new float[] {3, 4}, to.buffers().get(1).toFloatArray());
        assertArrayEquals(new float[] {0, 0}, to.buffers().get(2).toFloatArray());
    }

    @Test
    void missingBuffersAreNamed() {
        Map<String, Tensor> state = model().stateDict();
        state.remove("0.mean");
        var e = assertThrows(IllegalArgumentException.class, () -> model().loadStateDict(state));
        assertEquals(
                "Error(s) in loading stateDict for Sequential:\n\tMissing key(s) in stateDict: \"0.mean\".",
                e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"scale", "calls"})
    void namesAreUniqueOverParametersAndBuffers(String name) {
        for (var register :
                List.<Runnable>of(
                        () -> new Counting().registerParameter(name, Tensor.ones(1)),
                        () -> new Counting().registerBuffer(name, Tensor.ones(1)),
                        () -> new Counting().registerModule(name, new Linear(1, 1)))) {
            var e = assertThrows(IllegalArgumentException.class, register::run);
            assertEquals("Counting has a part named '" + name + "' already", e.getMessage());
        }
    }

    @Test
    void buffersRequireNoGradient() {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                new Counting()
                                        .registerBuffer("more", Tensor.ones(1).requiresGrad(true)));
        assertEquals(
                "buffer 'more' requires a gradient; register it as a parameter, or detach it first",
                e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuda:0", "cuda:1", "cuda:2", "cuda:3"})
    void modelMovesAndIsTrainedThere(String name) {
        Device device = Device.parse(name);
        var here = model();
        var there = model();
        List<Tensor> tensors = new ArrayList<>(there.parameters());
        tensors.addAll(there.buffers());
        var optimizer = new SGD(there.parameters(), 0.1, 0);
        there.to(device);
        assertTrue(tensors.stream().allMatch(tensor -> tensor.device().equals(device)));
        Tensor input = Tensor.of(3f, 4f);
        here.forward(input).sum().backward();
        new SGD(here.parameters(), 0.1, 0).step();
        there.forward(input.to(device)).sum().backward();
        optimizer.step();
        here.stateDict()
                .forEach((path, tensor) -> {
                    Tensor moved = requireNonNull(there.stateDict().get(path));
                    assertEquals(device, moved.device());
                    assertTrue(tensor.allclose(moved.to(Device.CPU)), path);
                });
        there.to(Device.CPU);
        assertTrue(tensors.stream().allMatch(tensor -> tensor.device().isCpu()));
        Tensor weight = requireNonNull(there.namedParameters().get("1.weight"));
        Tensor gradient = requireNonNull(weight.grad());
        assertEquals(Device.CPU, gradient.device());
        assertTrue(gradient.equal(Tensor.of(new float[][] {{6, 8}})));
        assertEquals(new ArrayList<>(there.parameters()), tensors.subList(0, 3));
    }

    @Test
    void statesPassBetweenDevices() {
        var here = model();
        var _ = here.forward(Tensor.of(3f, 4f));
        var there = model();
        there.to(Device.parse("cuda:1"));
        there.loadStateDict(here.stateDict());
        assertEquals(1, there.buffers().getFirst().itemAsLong());
        assertEquals(Device.parse("cuda:1"), there.buffers().getFirst().device());
        var back = model();
        back.loadStateDict(there.stateDict());
        assertArrayEquals(new float[] {3, 4}, back.buffers().get(1).toFloatArray());
    }

    @Test
    void deviceThatIsNotThereMovesNothing() {
        var model = model();
        var e = assertThrows(IllegalArgumentException.class, () -> model.to(new Device("cuda", 7)));
        assertTrue(String.valueOf(e.getMessage()).contains("invalid device ordinal"));
        assertTrue(model.parameters().stream().allMatch(tensor -> tensor.device().isCpu()));
    }

    @Test
    void modelIsConvertedButForWholeNumbers() {
        var model = model();
        model.forward(Tensor.of(3f, 4f)).sum().backward();
        model.to(DType.FLOAT64);
        for (Tensor parameter : model.parameters()) {
            assertEquals(DType.FLOAT64, parameter.dtype());
            assertEquals(DType.FLOAT64, requireNonNull(parameter.grad()).dtype());
        }
        assertEquals(
                List.of(DType.INT64, DType.FLOAT64, DType.FLOAT64),
                model.buffers().stream().map(Tensor::dtype).toList());
        assertEquals(DType.FLOAT64, model.forward(Tensor.of(3.0, 4.0)).dtype());
        var e = assertThrows(IllegalArgumentException.class, () -> model.to(DType.INT32));
        assertEquals(
                "a module's parameters cannot be of int32; choose a floating-point type",
                e.getMessage());
    }

    @Test
    void evaluationModeReachesAllChildren() {
        var model = model();
        model.eval();
        assertTrue(model.modules().stream().noneMatch(Module::isTraining));
        model.train();
        assertTrue(model.modules().stream().allMatch(Module::isTraining));
    }

    @Test
    void frozenParametersGetNoGradients() {
        var model = model();
        model.requiresGrad(false);
        assertFalse(model.forward(Tensor.of(3f, 4f)).requiresGrad());
        model.requiresGrad(true);
        assertTrue(model.forward(Tensor.of(3f, 4f)).requiresGrad());
    }

    @Test
    void applyVisitsChildrenFirst() {
        List<String> seen = new ArrayList<>();
        model().apply(module -> seen.add(module.getClass().getSimpleName()));
        assertEquals(List.of("Counting", "Linear", "Sequential"), seen);
    }

    @Test
    void sharedPartsCountOnce() {
        var shared = new Linear(2, 2, 7);
        var model = new Sequential(shared, shared);
        assertEquals(List.of("", "0"), List.copyOf(model.namedModules().keySet()));
        assertEquals(List.of("0.weight", "0.bias"), List.copyOf(model.namedParameters().keySet()));
        assertEquals(
                List.of("0.weight", "0.bias", "1.weight", "1.bias"),
                List.copyOf(model.stateDict().keySet()));
        model.to(Device.parse("cuda:0"));
        assertEquals(Device.parse("cuda:0"), shared.weight().device());
        assertSame(shared.weight(), model.parameters().getFirst());
    }

    @Test
    void treesArePrintedAsPyTorchDoes() {
        var inner = new Sequential(new Linear(2, 3), new ReLU());
        assertEquals(
                """
                Sequential(
                  (0): Linear(in_features=4, out_features=2, bias=True)
                  (1): Sequential(
                    (0): Linear(in_features=2, out_features=3, bias=True)
                    (1): ReLU()
                  )
                )\
                """,
                new Sequential(new Linear(4, 2), inner).toString());
        assertEquals("Counting()", new Counting().toString());
        assertEquals("Sequential()", new Sequential().toString());
    }

    @Test
    void summaryCountsNumbers() {
        var model = new Sequential(new Linear(40, 50), new Counting());
        requireNonNull(model.namedParameters().get("0.bias")).requiresGrad(false);
        assertEquals(
                """
                module  type        parameters                  numbers
                (all)   Sequential                                2,051
                0       Linear      weight [50, 40], bias [50]    2,050
                1       Counting    scale []                          1
                trainable: 2,001, frozen: 50, in buffers: 5
                """,
                model.summary());
    }
}
