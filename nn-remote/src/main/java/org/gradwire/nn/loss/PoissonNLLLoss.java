package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The Poisson negative log likelihood.
 *
 * @param logInput whether the input is the logarithm of the mean
 * @param full whether Stirling's approximation of the target's term is added
 * @param eps added to a mean before its logarithm is taken
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record PoissonNLLLoss(boolean logInput, boolean full, double eps, String reduction)
        implements Loss {

    /** Validates the reduction. */
    public PoissonNLLLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
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
