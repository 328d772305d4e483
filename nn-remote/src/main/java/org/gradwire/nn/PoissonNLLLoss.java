package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The negative log likelihood of counts under Poisson distributions.
 *
 * @param logInput whether the input is the logarithms of the means
 * @param full whether Stirling's approximation of the term of the target is added
 * @param eps added to a mean before its logarithm is taken
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record PoissonNLLLoss(boolean logInput, boolean full, double eps, String reduction)
        implements Loss {

    /** Checks the reduction. */
    public PoissonNLLLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
    public PoissonNLLLoss() {
        this(true, false, 1e-8, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.poissonNllLoss(input, target, logInput, full, eps, reduction);
    }

    @Override
    public String toString() {
        return "PoissonNLLLoss()";
    }
}
