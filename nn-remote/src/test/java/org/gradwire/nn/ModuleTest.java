package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Parameters, children and modes of a module. */
class ModuleTest {

    /** A module with a parameter and children. */
    private static final class Model extends Module {
        private final Tensor scale = registerParameter("scale", Tensor.ones(1));
        private final Sequential inner =
                registerModule(
                        "inner",
                        new Sequential(new Linear(2, 3, 1), Tensor::relu, new Linear(3, 1, 2)));

        Tensor forward(Tensor input) {
            return inner.forward(input).mul(scale);
        }
    }

    @Test
    void parametersHaveThePathOfTheirModule() {
        var model = new Model();
        assertEquals(
                List.of(
                        "scale",
                        "inner.0.weight",
                        "inner.0.bias",
                        "inner.2.weight",
                        "inner.2.bias"),
                List.copyOf(model.namedParameters().keySet()));
        assertEquals(List.copyOf(model.namedParameters().values()), model.parameters());
        assertSame(model.scale, model.namedParameters().get("scale"));
        assertEquals(List.of(model.inner), List.copyOf(model.children()));
        assertTrue(model.parameters().stream().allMatch(Tensor::requiresGrad));
    }

    @Test
    void backwardReachesAllParametersAndZeroGradForgets() {
        var model = new Model();
        model.forward(Tensor.of(new float[][] {{1, 2}, {-3, 4}})).sum().backward();
        model.namedParameters().forEach((name, parameter) -> assertNotNull(parameter.grad(), name));
        model.zeroGrad();
        model.namedParameters().forEach((name, parameter) -> assertNull(parameter.grad(), name));
    }

    @Test
    void modeReachesAllChildren() {
        var model = new Model();
        assertTrue(model.isTraining());
        model.train(false);
        assertFalse(model.isTraining());
        assertFalse(model.inner.isTraining());
        assertTrue(model.inner.children().stream().noneMatch(Module::isTraining));
        model.train(true);
        assertTrue(model.inner.children().stream().allMatch(Module::isTraining));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b"})
    void namesWithoutMeaningAreRefused(String name) {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new Model().registerParameter(name, Tensor.ones(1)));
        assertEquals(
                "'" + name + "' cannot name a part of a module; use a name without dots",
                e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"scale", "inner"})
    void namesAreUniqueOverParametersAndChildren(String name) {
        for (var register :
                List.<Runnable>of(
                        () -> new Model().registerParameter(name, Tensor.ones(1)),
                        () -> new Model().registerModule(name, new Linear(1, 1)))) {
            var e = assertThrows(IllegalArgumentException.class, register::run);
            assertEquals("Model has a part named '" + name + "' already", e.getMessage());
        }
    }

    @Test
    void resultsAreNoParameters() {
        Tensor result = Tensor.ones(1).requiresGrad(true).mul(2);
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new Model().registerParameter("weight", result));
        assertTrue(
                String.valueOf(e.getMessage()).contains("register a leaf (detach it first)"),
                e::getMessage);
    }
}
