package org.gradwire.optim;

import org.gradwire.tensor.GradMode;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Changes parameters along their gradients. One instance belongs to its parameters; steps must not
 * run at the same time.
 */
public abstract class Optimizer {
    private final List<Tensor> parameters;

    /**
     * Create an optimizer.
     *
     * @throws IllegalArgumentException when there is no parameter, or one requires no gradient
     */
    protected Optimizer(List<Tensor> parameters) {
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException("optimizer got an empty parameter list");
        }
        for (Tensor parameter : parameters) {
            if (!parameter.isLeaf() || !parameter.requiresGrad()) {
                throw new IllegalArgumentException(
                        "can't optimize a tensor that is no leaf requiring a gradient: shape %s"
                                .formatted(Arrays.toString(parameter.shape())));
            }
        }
        this.parameters = List.copyOf(parameters);
    }

    public final List<Tensor> parameters() {
        return parameters;
    }

    /** Change every parameter that has a gradient along it. */
    public final void step() {
        try (var _ = GradMode.noGrad()) {
            for (Tensor parameter : parameters) {
                Tensor gradient = parameter.grad();
                if (gradient != null) {
                    checkLayout(parameter, gradient);
                    update(parameter, gradient);
                }
            }
        }
    }

    /**
     * Change every parameter that is among the gradients, and leave the others alone; {@link
     * Tensor#grad()} is not looked at.
     */
    public final void step(Map<Tensor, Tensor> gradients) {
        try (var _ = GradMode.noGrad()) {
            for (Tensor parameter : parameters) {
                Tensor gradient = gradients.get(parameter);
                if (gradient != null) {
                    checkLayout(parameter, gradient);
                    update(parameter, gradient);
                }
            }
        }
    }

    private void checkLayout(Tensor parameter, Tensor gradient) {
        if (gradient.isSparse() && !takesSparseGradients()) {
            throw new IllegalArgumentException(
                    "%s does not support sparse gradients, and that of a parameter of shape %s is one; use SGD for it, or ask for dense gradients where it is used"
                            .formatted(
                                    getClass().getSimpleName(),
                                    Arrays.toString(parameter.shape())));
        }
    }

    /**
     * {@return whether {@link #update} can be given sparse gradients; if not, a step with one
     * fails}
     */
    protected boolean takesSparseGradients() {
        return false;
    }

    /** Change one parameter in place. Recording is off. The gradient must not be changed. */
    protected abstract void update(Tensor parameter, Tensor gradient);

    /** Forget the gradients of all parameters. */
    public final void zeroGrad() {
        parameters.forEach(parameter -> parameter.grad(null));
    }
}
