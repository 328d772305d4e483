package org.gradwire.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The common behaviour of optimizers: groups, checks before a step, and states. */
class OptimizerTest {

    private static Tensor parameter(float... values) {
        return Tensor.of(values).requiresGrad(true);
    }

    private static Tensor sparse(Tensor parameter) {
        return Tensor.sparseCoo(Tensor.of(new long[][] {{0}}), Tensor.of(1f), parameter.shape());
    }

    private static Tensor part(Optimizer<?> optimizer, String name) {
        return requireNonNull(optimizer.stateDict().get(name));
    }

    private static void assertRefused(String message, Executable action) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
    }

    /** An optimizer of a program's own, with a state of a row's size. */
    private static final class Signs extends Optimizer<Signs.Options> {
        record Options(double lr, boolean twice, String note) implements OptimizerOptions<Options> {
            @Override
            public Options lr(double rate) {
                return new Options(rate, twice, note);
            }
        }

        Signs(List<Tensor> parameters, Options options) {
            super(parameters, options);
        }

        @Override
        protected void update(
                Tensor parameter, Tensor gradient, Options options, ParameterState state) {
            Tensor steps = state.get("steps", () -> Tensor.zeros(1)).add_(1);
            assertEquals(state.step(), steps.itemAsLong());
            parameter.add_(gradient.sign(), -options.lr() * (options.twice() ? 2 : 1));
        }
    }

    @Test
    void groupsHaveOptionsOfTheirOwn() {
        Tensor p = parameter(1);
        Tensor q = parameter(1);
        var optimizer = new SGD(List.of(p), 0.1);
        ParameterGroup<SGD.Options> second = optimizer.addGroup(List.of(q), SGD.options(0.5));
        assertEquals(List.of(p, q), optimizer.parameters());
        assertEquals(List.of(q), second.parameters());
        p.grad(Tensor.of(1f));
        q.grad(Tensor.of(1f));
        optimizer.step();
        assertEquals(0.9, p.get(0), 1e-6);
        assertEquals(0.5, q.get(0), 1e-6);
        second.options(second.options().lr(0.25));
        optimizer.step();
        assertEquals(0.25, q.get(0), 1e-6);
        assertEquals(
                new LearningRates(List.of(0.1, 0.25), List.of(0.0, 0.0)),
                optimizer.learningRates());
        assertEquals(
                "SGD[1 parameters, Options[lr=0.1, momentum=0.0, dampening=0.0, nesterov=false, weightDecay=0.0, maximize=false], 1 parameters, Options[lr=0.25, momentum=0.0, dampening=0.0, nesterov=false, weightDecay=0.0, maximize=false]]",
                optimizer.toString());
    }

    @Test
    void onlyLeavesAreOptimized() {
        assertRefused("optimizer got an empty parameter list", () -> new SGD(List.of(), 1));
        assertRefused(
                "can't optimize a non-leaf Tensor: shape [2] is the result of an operator; optimize the leaf that it is made of, or detach() it",
                () -> new SGD(List.of(parameter(1, 2).mul(2)), 1));
    }

    @Test
    void frozenParametersArePassedOver() {
        Tensor frozen = parameter(1, 2).requiresGrad(false);
        Tensor trained = parameter(3, 4);
        var optimizer = new Adam(List.of(frozen, trained), 0.5);
        frozen.mul(trained).sum().backward();
        optimizer.step();
        assertArrayEquals(new float[] {1, 2}, frozen.toFloatArray());
        assertArrayEquals(new float[] {2.5f, 3.5f}, trained.toFloatArray(), 1e-6f);
        assertEquals(
                List.of("state.1.exp_avg", "state.1.exp_avg_sq", "state.1.step"),
                optimizer.stateDict().keySet().stream()
                        .filter(name -> name.startsWith("state."))
                        .sorted()
                        .toList());
        frozen.requiresGrad(true);
        optimizer.zeroGrad();
        frozen.mul(trained).sum().backward();
        optimizer.step();
        assertArrayEquals(new float[] {0.5f, 1.5f}, frozen.toFloatArray(), 1e-6f);
    }

    @Test
    void gradientsAreZeroedInTheirMemoryOnRequest() {
        Tensor p = parameter(1);
        Tensor untouched = parameter(1);
        var optimizer = new SGD(List.of(p, untouched), SGD.options(1).momentum(0.5));
        p.mul(2).sum().backward();
        Tensor gradient = requireNonNull(p.grad());
        optimizer.step();
        optimizer.zeroGrad(false);
        assertSame(gradient, p.grad());
        assertEquals(0, gradient.get(0));
        assertNull(untouched.grad());
        optimizer.step();
        assertEquals(1 - 2 - 1, p.get(0), "momentum continues");
        p.mul(3).sum().backward();
        assertEquals(3, requireNonNull(p.grad()).get(0));
        optimizer.zeroGrad();
        assertNull(p.grad());
    }

    @Test
    void aParameterIsInOneGroupOnly() {
        Tensor p = parameter(1, 2);
        String message =
                "some parameters appear in more than one parameter group, or twice in one: one of shape [2]; give each once";
        assertRefused(message, () -> new SGD(List.of(p, p), 1));
        var optimizer = new SGD(List.of(p), 1);
        assertRefused(message, () -> optimizer.addGroup(List.of(p), SGD.options(1)));
        assertEquals(1, optimizer.groups().size());
    }

    @Test
    void optionsAreCheckedWhenTheyAreMade() {
        assertRefused("Invalid learning rate: -1.0; it must be at least 0", () -> SGD.options(-1));
        assertRefused(
                "Invalid learning rate: NaN; it must be at least 0",
                () -> Adam.options(Double.NaN));
        assertRefused(
                "Invalid learning rate: 0.0; it must be greater than 0",
                () -> SparseAdam.options(0));
        assertRefused(
                "Invalid momentum value: -0.1; it must be at least 0",
                () -> SGD.options(1).momentum(-0.1));
        assertRefused(
                "Invalid weightDecay value: -0.1; it must be at least 0",
                () -> AdamW.options().weightDecay(-0.1));
        assertRefused(
                "Invalid epsilon value: -1.0; it must be at least 0", () -> Adam.options().eps(-1));
        assertRefused(
                "Invalid epsilon value: 0.0; it must be greater than 0",
                () -> SparseAdam.options().eps(0));
        assertRefused(
                "Invalid beta parameter at index 0: 1.0; it must be at least 0 and less than 1",
                () -> Adam.options().betas(1, 0.9));
        assertRefused(
                "Invalid beta parameter at index 1: -0.5; it must be at least 0 and less than 1",
                () -> SparseAdam.options().betas(0.5, -0.5));
        assertRefused(
                "Invalid lrDecay value: -1.0; it must be at least 0",
                () -> Adagrad.options().lrDecay(-1));
        assertRefused(
                "Invalid initialAccumulatorValue value: -1.0; it must be at least 0",
                () -> Adagrad.options().initialAccumulatorValue(-1));
        assertRefused(
                "Invalid alpha value: -1.0; it must be at least 0",
                () -> RMSprop.options().alpha(-1));
    }

    @Test
    void optionsThatDoNotFitTogetherAreRefused() {
        Tensor p = parameter(1);
        String message =
                "Nesterov momentum requires a momentum and zero dampening; they are %s and %s";
        var options = SGD.options(1).nesterov(true);
        assertRefused(message.formatted("0.0", "0.0"), () -> new SGD(List.of(p), options));
        var damped = options.momentum(0.9).dampening(0.5);
        assertRefused(message.formatted("0.9", "0.5"), () -> new SGD(List.of(p), damped));
        var optimizer = new SGD(List.of(p), options.momentum(0.9));
        assertRefused(
                message.formatted("0.0", "0.0"), () -> optimizer.groups().get(0).options(options));
        assertEquals(options.momentum(0.9), optimizer.groups().get(0).options());
    }

    @Test
    void aGradientThatCannotBeUsedStopsTheStepBeforeItBegins() {
        Tensor p = parameter(1, 2, 3);
        Tensor q = parameter(1, 2, 3);
        Map<Tensor, Tensor> gradients = new LinkedHashMap<>();
        gradients.put(p, Tensor.ones(3));
        gradients.put(q, sparse(q));
        Map<String, Function<List<Tensor>, Optimizer<?>>> dense =
                Map.of("Adam", Adam::new, "AdamW", AdamW::new, "RMSprop", RMSprop::new);
        dense.forEach((name, maker) -> {
            var optimizer = maker.apply(List.of(p, q));
            assertRefused(
                    name
                            + " does not support sparse gradients, and that of a parameter of shape [3] is one; use SparseAdam, Adagrad or SGD for it, or ask for dense gradients where it is used",
                    () -> optimizer.step(gradients));
        });
        assertRefused(
                "SparseAdam does not support dense gradients, please consider Adam instead; that of a parameter of shape [3] is one",
                () -> new SparseAdam(List.of(q, p)).step(gradients));
        String decay =
                "the option weightDecay is not compatible with sparse gradients: it is 0.5; set it to 0 for the group of this parameter";
        var sgd = new SGD(List.of(p, q), SGD.options(1).weightDecay(0.5));
        assertRefused(decay, () -> sgd.step(gradients));
        var adagrad = new Adagrad(List.of(p, q), Adagrad.options().weightDecay(0.5));
        assertRefused(decay, () -> adagrad.step(gradients));
        for (Tensor parameter : List.of(p, q)) {
            assertArrayEquals(new float[] {1, 2, 3}, parameter.toFloatArray());
        }
    }

    @Test
    void aGradientFitsItsParameter() {
        Tensor p = parameter(1, 2);
        var optimizer = new SGD(List.of(p), 1);
        assertRefused(
                "a gradient of float32[3] does not fit a parameter of float32[2]",
                () -> optimizer.step(Map.of(p, Tensor.ones(3))));
        assertRefused(
                "a gradient of float64[2] does not fit a parameter of float32[2]",
                () -> optimizer.step(Map.of(p, Tensor.ones(DType.FLOAT64, 2))));
        assertArrayEquals(new float[] {1, 2}, p.toFloatArray());
    }

    @Test
    void nothingIsRecordedAndStatesOutliveTheScopeOfAStep() {
        Tensor p = Tensor.zeros(1 << 16).requiresGrad(true); // large enough for native memory
        var optimizer = new Adam(List.of(p), Adam.options(0.1).amsgrad(true));
        for (int step = 0; step < 3; step++) {
            try (var _ = TensorScope.open()) {
                optimizer.zeroGrad();
                p.mul(2).sum().backward();
                optimizer.step();
                optimizer.zeroGrad();
            }
            assertTrue(p.isLeaf());
            assertNull(p.grad());
        }
        assertEquals(-0.3, p.get(77), 1e-6);
    }

    @Test
    void aProgramsOwnOptimizerHasGroupsRatesAndAState() {
        Tensor p = parameter(1, -1);
        var optimizer = new Signs(List.of(p), new Signs.Options(0.5, true, "a"));
        optimizer.step(Map.of(p, Tensor.of(3f, -0.1f)));
        assertArrayEquals(new float[] {0, 0}, p.toFloatArray());
        assertEquals(new LearningRates(List.of(0.5), List.of()), optimizer.learningRates());
        Map<String, Tensor> state = optimizer.stateDict();
        assertEquals(
                List.of(
                        "state.0.step",
                        "state.0.steps",
                        "param_groups.0.params",
                        "param_groups.0.lr",
                        "param_groups.0.twice"),
                List.copyOf(state.keySet()));
        var other = new Signs(List.of(p), new Signs.Options(0.1, false, "b"));
        other.loadStateDict(state);
        assertEquals(new Signs.Options(0.5, true, "b"), other.groups().get(0).options());
        other.step(Map.of(p, Tensor.of(1f, 1f)));
        assertEquals(2, part(other, "state.0.steps").item());
        assertEquals(1, part(optimizer, "state.0.steps").item(), "the state was copied");
    }

    @Test
    void aStateThatDoesNotFitIsRefusedAsAWhole() {
        Tensor p = parameter(1, 2);
        var optimizer = new Adam(List.of(p), 0.1);
        optimizer.step(Map.of(p, Tensor.of(1f, 1f)));
        Map<String, Tensor> state = optimizer.stateDict();
        var other = new Adam(List.of(parameter(1, 2)), 0.5);

        var none = Map.<String, Tensor>of();
        assertRefused(
                "loaded state dict has a different number of parameter groups: 0, the optimizer has 1",
                () -> other.loadStateDict(none));
        assertRefused(
                "'weight' is not a part of an optimizer's state; expected state.<parameter>.<name> and param_groups.<group>.<option>",
                () -> other.loadStateDict(with(state, "weight", Tensor.of(1f))));
        assertRefused(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group: group 0 has 2 parameters in the state, 1 in the optimizer",
                () -> other.loadStateDict(with(state, "param_groups.0.params", Tensor.of(0L, 1L))));
        assertRefused(
                "the saved state has a parameter 3, the optimizer only 1 parameters",
                () -> other.loadStateDict(with(state, "state.3.step", Tensor.scalar(1))));
        assertRefused(
                "'exp_avg' of parameter 0 has shape [3] in the saved state, the parameter has [2]",
                () -> other.loadStateDict(with(state, "state.0.exp_avg", Tensor.ones(3))));
        assertRefused(
                "the saved options [-1.0, 0.9, 0.999, 1.0E-8, 0.0, false, false] are refused: java.lang.IllegalArgumentException: Invalid learning rate: -1.0; it must be at least 0",
                () -> other.loadStateDict(with(state, "param_groups.0.lr", Tensor.of(-1.0))));
        Map<String, Tensor> sgd = new SGD(List.of(p), 1).stateDict();
        assertRefused(
                "the saved state has no option 'beta1'; it has [lr, momentum, dampening, nesterov, weight_decay, maximize]",
                () -> other.loadStateDict(sgd));
        assertEquals(0.5, other.groups().get(0).options().lr());
        assertEquals(8, other.stateDict().size(), "nothing is kept of a parameter yet");
    }

    private static Map<String, Tensor> with(Map<String, Tensor> state, String key, Tensor value) {
        Map<String, Tensor> changed = new LinkedHashMap<>(state);
        changed.put(key, value);
        return changed;
    }

    @Test
    void aLoadedStateTakesTheTypeOfItsParameter() {
        Tensor p = parameter(1, 2);
        var optimizer = new Adam(List.of(p), 0.1);
        optimizer.step(Map.of(p, Tensor.of(1f, 1f)));
        Tensor wide = Tensor.of(1.0, 2.0).requiresGrad(true);
        var other = new Adam(List.of(wide));
        other.loadStateDict(optimizer.stateDict());
        assertEquals(DType.FLOAT64, part(other, "state.0.exp_avg").dtype());
        other.step(Map.of(wide, Tensor.of(1.0, 1.0)));
        assertEquals(2, part(other, "state.0.step").itemAsLong());
    }
}
