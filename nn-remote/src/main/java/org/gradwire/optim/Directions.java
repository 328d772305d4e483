package org.gradwire.optim;

import org.gradwire.tensor.Tensor;

/** What several optimizers do with a gradient before they use it. */
final class Directions {

    private Directions() {}

    /** Return the gradient, or its negation to climb. */
    static Tensor of(Tensor gradient, boolean maximize) {
        return maximize ? gradient.neg() : gradient;
    }

    /**
     * Return a gradient with that of half the squared parameter times {@code weightDecay} added.
     */
    static Tensor of(Tensor parameter, Tensor gradient, boolean maximize, double weightDecay) {
        Tensor direction = of(gradient, maximize);
        return weightDecay == 0 ? direction : parameter.mul(weightDecay).add_(direction);
    }

    /** Refuse a sparse gradient together with weight decay, which would change every element. */
    static void checkWeightDecay(Tensor gradient, double weightDecay) {
        if (gradient.isSparse() && weightDecay != 0) {
            throw new IllegalArgumentException(
                    "weight_decay option is not compatible with sparse gradients: it is %s; set it to 0 for the group of this parameter"
                            .formatted(weightDecay));
        }
    }
}
