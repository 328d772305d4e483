package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** States of modules: taken, given, and kept in files. */
class StateDictTest {
    private static final List<String> PATHS = List.of("0.weight", "0.bias", "2.weight", "2.bias");

    private static Sequential model(long seed) {
        return new Sequential(new Linear(3, 4, seed), Tensor::relu, new Linear(4, 2, seed + 1));
    }

    private static void assertSameState(Module expected, Module actual) {
        expected.namedParameters()
                .forEach((path, parameter) ->
                        assertTrue(
                                parameter.equal(requireNonNull(actual.namedParameters().get(path))),
                                path));
    }

    @Test
    void stateHasPyTorchsNamesAndSharesMemoryWithTheParameters() {
        var model = model(1);
        Map<String, Tensor> state = model.stateDict();
        assertEquals(PATHS, List.copyOf(state.keySet()));
        state.forEach((path, tensor) -> {
            assertFalse(tensor.requiresGrad(), path);
            assertTrue(
                    tensor.sharesStorage(requireNonNull(model.namedParameters().get(path))), path);
        });
    }

    @Test
    void stateIsCopiedIntoTheParametersThatAreThere() {
        var from = model(1);
        var to = model(5);
        List<Tensor> before = to.parameters();
        IncompatibleKeys keys = to.loadStateDict(from.stateDict());
        assertEquals(new IncompatibleKeys(List.of(), List.of()), keys);
        assertEquals(before, to.parameters());
        assertTrue(to.parameters().stream().allMatch(p -> p.requiresGrad() && p.isLeaf()));
        assertSameState(from, to);
        try (var _ = GradMode.noGrad()) {
            from.parameters().getFirst().zero_();
        }
        assertFalse(from.parameters().getFirst().equal(to.parameters().getFirst()));
    }

    @Test
    void modelSavedToAFileIsReadIntoAnother(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("model.safetensors");
        var from = model(1);
        SafeTensors.save(file, from.stateDict(), Map.of("epoch", "3"));
        var to = model(5);
        to.loadStateDict(SafeTensors.load(file));
        assertSameState(from, to);
        Tensor input = Tensor.of(new float[][] {{1, 2, 3}});
        assertTrue(from.forward(input).equal(to.forward(input)));
        var mapped = SafeTensors.open(file);
        assertEquals(PATHS, List.copyOf(mapped.names()));
        var third = model(7);
        third.loadStateDict(Map.of("0.bias", mapped.tensor("0.bias")), false);
        assertTrue(
                requireNonNull(from.stateDict().get("0.bias"))
                        .equal(requireNonNull(third.stateDict().get("0.bias"))));
    }

    @Test
    void parametersKeepTheirElementType() {
        var to = model(1);
        Map<String, Tensor> state = to.stateDict();
        state.put("0.bias", Tensor.of(1.0, 2.0, 3.0, 4.0));
        to.loadStateDict(state);
        Tensor bias = requireNonNull(to.namedParameters().get("0.bias"));
        assertEquals(DType.FLOAT32, bias.dtype());
        assertArrayEquals(new float[] {1, 2, 3, 4}, bias.toFloatArray());
    }

    @Test
    void allThatDiffersIsNamedAndNothingIsChanged() {
        var to = model(1);
        Map<String, Tensor> state = model(5).stateDict();
        state.remove("0.weight");
        state.remove("2.bias");
        state.put("more", Tensor.ones(1));
        state.put("2.weight", Tensor.ones(4, 2));
        var e = assertThrows(IllegalArgumentException.class, () -> to.loadStateDict(state));
        assertEquals(
                """
                Error(s) in loading stateDict for Sequential:
                \tMissing key(s) in stateDict: "0.weight", "2.bias".
                \tUnexpected key(s) in stateDict: "more".
                \tsize mismatch for 2.weight: copying a param with shape [4, 2] from checkpoint, the shape in current model is [2, 4].\
                """,
                e.getMessage());
        assertSameState(model(1), to);
    }

    @Test
    void lenientLoadingLeavesOutWhatIsOnOneSideOnly() {
        var to = model(1);
        Map<String, Tensor> state = model(5).stateDict();
        state.remove("0.weight");
        state.put("more", Tensor.ones(1));
        assertEquals(
                new IncompatibleKeys(List.of("0.weight"), List.of("more")),
                to.loadStateDict(state, false));
        assertTrue(
                requireNonNull(model(1).stateDict().get("0.weight"))
                        .equal(requireNonNull(to.stateDict().get("0.weight"))));
        assertTrue(
                requireNonNull(model(5).stateDict().get("2.bias"))
                        .equal(requireNonNull(to.stateDict().get("2.bias"))));
    }

    @Test
    void shapesMustFitEvenWhenLoadingIsLenient() {
        var to = model(1);
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> to.loadStateDict(Map.of("0.bias", Tensor.ones(1)), false));
        assertEquals(
                "Error(s) in loading stateDict for Sequential:\n"
                        + "\tsize mismatch for 0.bias: copying a param with shape [1] from checkpoint, the shape in current model is [4].",
                e.getMessage());
    }
}
