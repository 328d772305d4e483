package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * How far two inputs are from being ordered as a target says: 1 for the first being larger, -1 for
 * the second.
 *
 * @param margin the least difference
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record MarginRankingLoss(double margin, String reduction) {

    /** Checks the reduction. */
    public MarginRankingLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
    public MarginRankingLoss() {
        this(0, "mean");
    }

    /** Compute the loss of two inputs. */
    public Tensor forward(Tensor input1, Tensor input2, Tensor target) {
        return Ops.marginRankingLoss(input1, input2, target, margin, reduction);
    }

    @Override
    public String toString() {
        return "MarginRankingLoss()";
    }
}
