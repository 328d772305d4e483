package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The Gaussian negative log likelihood.
 *
 * @param full whether the constant term is added
 * @param eps the minimum variance
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record GaussianNLLLoss(boolean full, double eps, String reduction) {

    /** Validates the reduction. */
    public GaussianNLLLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
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
