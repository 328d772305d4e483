package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The negative log likelihood under normal distributions.
 *
 * @param full whether the constant term is added
 * @param eps the least variance
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record GaussianNLLLoss(boolean full, double eps, String reduction) {

    /** Checks the reduction. */
    public GaussianNLLLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
    public GaussianNLLLoss() {
        this(false, 1e-6, "mean");
    }

    /** Compute the loss of means and variances. */
    public Tensor forward(Tensor input, Tensor target, Tensor var) {
        return Ops.gaussianNllLoss(input, target, var, full, eps, reduction);
    }

    @Override
    public String toString() {
        return "GaussianNLLLoss()";
    }
}
