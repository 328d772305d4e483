package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * How much farther a positive is from an anchor than a negative, plus a margin.
 *
 * @param margin the least difference
 * @param p the order of the norm
 * @param eps added to differences, for stability
 * @param swap whether the nearer of anchor and positive counts for the negative
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record TripletMarginLoss(
        double margin, double p, double eps, boolean swap, String reduction) {

    /** Checks the reduction. */
    public TripletMarginLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
    public TripletMarginLoss() {
        this(1, 2, 1e-6, false, "mean");
    }

    /** Compute the loss of triples {@code [n, d]}. */
    public Tensor forward(Tensor anchor, Tensor positive, Tensor negative) {
        return Ops.tripletMarginLoss(anchor, positive, negative, margin, p, eps, swap, reduction);
    }

    @Override
    public String toString() {
        return "TripletMarginLoss()";
    }
}
