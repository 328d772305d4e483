package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The triplet margin loss, {@code max(0, d(anchor, positive) - d(anchor, negative) + margin)}.
 *
 * @param margin the minimum difference
 * @param p the order of the norm
 * @param eps added to differences for numerical stability
 * @param swap whether the distance from the negative to the nearer of anchor and positive counts
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record TripletMarginLoss(
        double margin, double p, double eps, boolean swap, String reduction) {

    /** Validates the reduction. */
    public TripletMarginLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
    public TripletMarginLoss() {
        this(1, 2, 1e-6, false, "mean");
    }

    /** Return the same loss with another margin. */
    public TripletMarginLoss margin(double difference) {
        return new TripletMarginLoss(difference, p, eps, swap, reduction);
    }

    /** Return the same loss with a norm of another order. */
    public TripletMarginLoss p(double order) {
        return new TripletMarginLoss(margin, order, eps, swap, reduction);
    }

    /** Return the same loss with another epsilon. */
    public TripletMarginLoss eps(double added) {
        return new TripletMarginLoss(margin, p, added, swap, reduction);
    }

    /** Return the same loss with the nearer of both distances from the negative, or not. */
    public TripletMarginLoss swap(boolean wanted) {
        return new TripletMarginLoss(margin, p, eps, wanted, reduction);
    }

    /** Return the same loss with another reduction. */
    public TripletMarginLoss reduction(String name) {
        return new TripletMarginLoss(margin, p, eps, swap, name);
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
