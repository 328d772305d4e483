package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The margin ranking loss, {@code max(0, -target * (x1 - x2) + margin)}: a target of 1 ranks the
 * first input higher, -1 the second.
 *
 * @param margin the minimum difference
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record MarginRankingLoss(double margin, String reduction) {

    /** Validates the reduction. */
    public MarginRankingLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
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
