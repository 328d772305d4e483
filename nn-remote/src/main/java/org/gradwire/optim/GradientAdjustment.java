package org.gradwire.optim;

import org.gradwire.tensor.Tensor;

/** Applies the options {@code maximize} and {@code weightDecay} to gradients. */
final class GradientAdjustment {

    private GradientAdjustment() {}

    /** Return the gradient, negated to maximize. */
    static Tensor of(Tensor gradient, boolean maximize) {
        return maximize ? gradient.neg() : gradient;
    }

    /** Return the gradient plus {@code weightDecay} times the parameter. */
    static Tensor of(Tensor parameter, Tensor gradient, boolean maximize, double weightDecay) {
        Tensor direction = of(gradient, maximize);
        return weightDecay == 0 ? direction : parameter.mul(weightDecay).add_(direction);
    }

    /** Reject a sparse gradient with weight decay, which would change every element. */
    static void checkWeightDecay(Tensor gradient, double weightDecay) {
        if (gradient.isSparse() && weightDecay != 0) {
            throw new IllegalArgumentException(
                    "the option weightDecay is not compatible with sparse gradients: it is %s; set it to 0 for the group of this parameter"
                            .formatted(weightDecay));
        }
    }
}
