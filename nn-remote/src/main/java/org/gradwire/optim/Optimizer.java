package org.gradwire.optim;

import org.gradwire.tensor.GradMode;
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
 * Changes parameters along their gradients, in place. The counterpart of {@code
 * torch.optim.Optimizer}.
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
 * <p>One of one's own extends this class, says in {@link #update} how a parameter changes, and
 * keeps what it needs from step to step in the {@link ParameterState}; then groups, schedulers,
 * saved states and {@code DistributedOptimizer} work with it.
 *
 * <p><b>Threads.</b> An instance belongs to one thread at a time, and nobody may use the parameters
 * while they change.
 *
 * @param <O> type of the options of a group
 */
public abstract class Optimizer<O extends Record & OptimizerOptions<O>> implements Scheduled {
    private final List<ParameterGroup<O>> groups = new ArrayList<>();
    private final Map<Tensor, ParameterState> states = new HashMap<>();

    /**
     * Create an optimizer with one group.
     *
     * @param parameters at least one, all of them leaves; a step passes over those without a
     *     gradient, such as frozen ones
     * @throws IllegalArgumentException when they are not, or the options do not fit together
     */
    protected Optimizer(List<Tensor> parameters, O options) {
        var _ = addGroup(parameters, options);
    }

    /**
     * Add a group of parameters with options of their own.
     *
     * @return the group
     * @throws IllegalArgumentException when there is no parameter, one is no leaf, or in a group
     *     already, or when the options do not fit together
     */
    public final ParameterGroup<O> addGroup(List<Tensor> parameters, O options) {
        checkParameters(parameters, parameters());
        var group = new ParameterGroup<>(parameters, options);
        groups.add(group);
        return group;
    }

    /** Refuse what cannot be optimized, or is so already. */
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
     * Change every parameter that has a {@linkplain Tensor#grad() gradient} along it.
     *
     * @throws IllegalArgumentException when a gradient is of a layout that this optimizer does not
     *     take; nothing was changed
     */
    public final void step() {
        stepAlong(Tensor::grad);
    }

    /**
     * Compute a loss and its gradients, and take a {@link #step()} along them.
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
     * Change every parameter that is among the gradients, and leave the others alone; {@link
     * Tensor#grad()} is not looked at.
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
        // What updates make on their way is given back at once; states are made outside.
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
     * Refuse a gradient that {@link #update} cannot use. Called for all gradients of a step before
     * the first parameter is changed. This refuses sparse ones; one that takes them overrides it.
     *
     * @param gradient of the parameter's shape and type
     * @throws IllegalArgumentException to refuse it
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
     * Change one parameter in place. Recording is off, and tensors made here are gone after the
     * step but for those that the state holds.
     *
     * @param gradient must not be changed
     * @param options of the parameter's group
     * @param state what is kept for the parameter's next step
     */
    protected abstract void update(
            Tensor parameter, Tensor gradient, O options, ParameterState state);

    /** Forget the gradients of all parameters. */
    public final void zeroGrad() {
        zeroGrad(true);
    }

    /**
     * Forget the gradients of all parameters, or set them to zero.
     *
     * @param setToNone whether to forget them; if not, each gradient that there is keeps its memory
     *     and is zero, so that the next step changes its parameter too: by momentum, say
     */
    public final void zeroGrad(boolean setToNone) {
        parameters().forEach(parameter -> parameter.zeroGrad(setToNone));
    }

    /** {@return the learning rates of the groups, and their momenta if the options have any} */
    @Override
    public final Rates rates() {
        return GroupRates.of(groups);
    }

    /** Change the learning rates of the groups, and their momenta if there are any. */
    @Override
    public final void rates(Rates rates) {
        GroupRates.set(groups, rates);
    }

    /**
     * {@return what is needed to go on later, as tensors by name, which {@code SafeTensors} can
     * write: {@code state.<parameter>.<name>} for what is kept of parameters, numbered over all
     * groups, {@code param_groups.<group>.<option>} and {@code param_groups.<group>.params}.
     * Tensors share the memory of the state; the map may be changed}
     */
    public final Map<String, Tensor> stateDict() {
        return SavedState.of(groups, states);
    }

    /**
     * Go on from a saved state: that of an optimizer of this kind over parameters of the same
     * shapes in the same groups. Tensors are copied. The parameters themselves are saved elsewhere;
     * with both, training continues to the bit.
     *
     * @throws IllegalArgumentException when the state is not that of such an optimizer; it says
     *     why, and nothing was changed
     */
    public final void loadStateDict(Map<String, Tensor> state) {
        SavedState.load(groups, states, state);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + groups;
    }
}
