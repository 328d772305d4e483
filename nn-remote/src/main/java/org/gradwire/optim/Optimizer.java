package org.gradwire.optim;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The base class of optimizers, which update parameters in place from their gradients. The
 * counterpart of {@code torch.optim.Optimizer}.
 *
 * {@snippet :
 * var optimizer = new SGD(body.parameters(), SGD.options(0.1).momentum(0.9));
 * optimizer.addGroup(head.parameters(), SGD.options(0.01));
 * for (Batch batch : batches) {
 *     optimizer.zeroGrad();
 *     loss(batch).backward();
 *     optimizer.step();
 * }
 * }
 *
 * <p>A custom optimizer extends this class, updates a parameter in {@link #update}, and keeps its
 * state between steps in the {@link ParameterState}; groups, schedulers, saved states and {@code
 * DistributedOptimizer} then work with it.
 *
 * <p><b>Threads.</b> An instance belongs to one thread at a time; no other thread may use the
 * parameters while they change.
 *
 * @param <O> type of the options of a group
 */
public abstract class Optimizer<O extends Record & OptimizerOptions<O>> implements Schedulable {
    private final List<ParameterGroup<O>> groups = new ArrayList<>();
    private final Map<Tensor, ParameterState> states = new HashMap<>();

    /**
     * Create an optimizer with one group.
     *
     * @param parameters at least one, all of them leaves; a step skips those without a gradient,
     *     such as frozen ones
     * @throws IllegalArgumentException when a parameter is not a leaf, or the options are
     *     inconsistent
     */
    protected Optimizer(List<Tensor> parameters, O options) {
        var _ = addGroup(parameters, options);
    }

    /**
     * Add a group of parameters with their own options.
     *
     * @return the group
     * @throws IllegalArgumentException when there is no parameter, one is not a leaf or already in
     *     a group, or the options are inconsistent
     */
    public final ParameterGroup<O> addGroup(List<Tensor> parameters, O options) {
        checkParameters(parameters, parameters());
        var group = new ParameterGroup<>(parameters, options);
        groups.add(group);
        return group;
    }

    /** Reject parameters that are not leaves or already in a group. */
    static void checkParameters(List<Tensor> parameters, List<Tensor> others) {
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException("optimizer got an empty parameter list");
        }
        Set<Tensor> known = new HashSet<>(others);
        for (Tensor parameter : parameters) {
            if (!parameter.isLeaf()) {
                throw new IllegalArgumentException(
                        "can't optimize a non-leaf Tensor: shape %s is the result of an operator; optimize the leaf that it is made of, or detach() it"
                                .formatted(Arrays.toString(parameter.shape())));
            }
            if (!known.add(parameter)) {
                throw new IllegalArgumentException(
                        "some parameters appear in more than one parameter group, or twice in one: one of shape %s; give each once"
                                .formatted(Arrays.toString(parameter.shape())));
            }
        }
    }

    /** {@return the groups, in the order they were added} */
    public final List<ParameterGroup<O>> groups() {
        return Collections.unmodifiableList(groups);
    }

    /** {@return the parameters of all groups} */
    public final List<Tensor> parameters() {
        return groups.stream().flatMap(group -> group.parameters().stream()).toList();
    }

    /**
     * Update every parameter that has a {@linkplain Tensor#grad() gradient}.
     *
     * @throws IllegalArgumentException when this optimizer does not support a gradient's layout;
     *     nothing was changed
     */
    public final void step() {
        stepAlong(Tensor::grad);
    }

    /**
     * Evaluate a closure, then take a {@link #step()}.
     *
     * @param closure zeroes the gradients, computes the loss and calls {@code backward} on it; runs
     *     once, with recording on
     * @return what the closure returned
     */
    public final Tensor step(Supplier<Tensor> closure) {
        Tensor loss;
        try (var _ = GradMode.enableGrad()) {
            loss = closure.get();
        }
        step();
        return loss;
    }

    /**
     * Update every parameter with a gradient in the map; {@link Tensor#grad()} is ignored.
     *
     * @param gradients as an autograd context has them; other tensors may be among them
     * @throws IllegalArgumentException when a gradient does not fit its parameter, or is of a
     *     layout that this optimizer does not take; nothing was changed
     */
    public final void step(Map<Tensor, Tensor> gradients) {
        stepAlong(gradients::get);
    }

    private void stepAlong(Function<Tensor, @Nullable Tensor> gradients) {
        forEachGradient(gradients, this::checkGradient);
        // Temporary tensors of updates are freed at once; states are allocated outside.
        try (var _ = GradMode.noGrad();
                var _ = TensorScope.open()) {
            forEachGradient(gradients, this::updateOne);
        }
    }

    private interface Action<O> {
        void accept(Tensor parameter, Tensor gradient, O options);
    }

    private void forEachGradient(Function<Tensor, @Nullable Tensor> gradients, Action<O> action) {
        for (ParameterGroup<O> group : groups) {
            for (Tensor parameter : group.parameters()) {
                Tensor gradient = gradients.apply(parameter);
                if (gradient != null) {
                    action.accept(parameter, gradient, group.options());
                }
            }
        }
    }

    private void checkGradient(Tensor parameter, Tensor gradient, O options) {
        if (!Arrays.equals(parameter.shape(), gradient.shape())
                || parameter.dtype() != gradient.dtype()) {
            throw new IllegalArgumentException(
                    "a gradient of %s%s does not fit a parameter of %s%s"
                            .formatted(
                                    gradient.dtype(),
                                    Arrays.toString(gradient.shape()),
                                    parameter.dtype(),
                                    Arrays.toString(parameter.shape())));
        }
        check(parameter, gradient, options);
    }

    private void updateOne(Tensor parameter, Tensor gradient, O options) {
        ParameterState state = states.computeIfAbsent(parameter, ParameterState::new);
        state.beginStep();
        update(parameter, gradient, options, state);
    }

    /**
     * Validate a gradient before {@link #update}. Called for all gradients of a step before the
     * first parameter changes. The default rejects sparse gradients; optimizers that support them
     * override this.
     *
     * @param gradient of the parameter's shape and type
     * @throws IllegalArgumentException to reject it
     */
    protected void check(Tensor parameter, Tensor gradient, O options) {
        if (gradient.isSparse()) {
            throw new IllegalArgumentException(
                    "%s does not support sparse gradients, and that of a parameter of shape %s is one; use SparseAdam, Adagrad or SGD for it, or ask for dense gradients where it is used"
                            .formatted(
                                    getClass().getSimpleName(),
                                    Arrays.toString(parameter.shape())));
        }
    }

    /**
     * Update one parameter in place. Recording is off; tensors allocated here are freed after the
     * step, except those in the state.
     *
     * @param gradient read-only
     * @param options the options of the parameter's group
     * @param state the state kept between steps of the parameter
     */
    protected abstract void update(
            Tensor parameter, Tensor gradient, O options, ParameterState state);

    /** Clear the gradients of all parameters. */
    public final void zeroGrad() {
        zeroGrad(true);
    }

    /**
     * Clear the gradients of all parameters, or set them to zero.
     *
     * @param setToNone whether to clear them; otherwise each gradient becomes zero in place, so the
     *     next step still updates its parameter, for example by momentum
     */
    public final void zeroGrad(boolean setToNone) {
        parameters().forEach(parameter -> parameter.zeroGrad(setToNone));
    }

    /** {@return the learning rates of the groups, and their momenta if the options have any} */
    @Override
    public final LearningRates learningRates() {
        return GroupLearningRates.of(groups);
    }

    /** Set the learning rates of the groups, and their momenta if there are any. */
    @Override
    public final void learningRates(LearningRates learningRates) {
        GroupLearningRates.set(groups, learningRates);
    }

    /**
     * {@return the state needed to resume, as tensors by name, which {@code SafeTensors} can write:
     * {@code state.<parameter>.<name>} for the states of parameters, numbered over all groups,
     * {@code param_groups.<group>.<option>} and {@code param_groups.<group>.params}. Tensors share
     * the memory of the state; the map is modifiable}
     */
    public final Map<String, Tensor> stateDict() {
        return SavedState.of(groups, states);
    }

    /**
     * Verify that {@link #loadStateDict} accepts a state, and change nothing.
     *
     * @throws IllegalArgumentException when the state does not match; the message says why
     */
    public final void checkStateDict(Map<String, Tensor> state) {
        var _ = SavedState.check(groups, state);
    }

    /**
     * Load the state of an optimizer of this class over parameters of the same shapes in the same
     * groups. Tensors are copied. Parameters are saved separately; with both, training resumes bit
     * for bit.
     *
     * @throws IllegalArgumentException when the state does not match; the message says why, and
     *     nothing was changed
     */
    public final void loadStateDict(Map<String, Tensor> state) {
        SavedState.load(groups, states, state);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + groups;
    }
}
