package org.gradwire.tensor;

/** The operators of a {@link Tensor} that networks are made of; the same as in {@link Ops}. */
public sealed interface NeuralOperators permits Tensor {

    /** Replace negative elements by zero. */
    default Tensor relu() {
        return Ops.relu((Tensor) this);
    }

    /** Turn the scores along a dimension into probabilities that sum to one. */
    default Tensor softmax(int dim) {
        return Ops.softmax((Tensor) this, dim);
    }

    /** Compute the logarithm of {@link #softmax}, more exactly than that. */
    default Tensor logSoftmax(int dim) {
        return Ops.logSoftmax((Tensor) this, dim);
    }

    /**
     * Average minus the log-probabilities {@code [n, classes]} of the classes in {@code target},
     * int64 {@code [n]}.
     */
    default Tensor nllLoss(Tensor target) {
        return Ops.nllLoss((Tensor) this, target);
    }

    /**
     * Average the cross-entropy of scores {@code [n, classes]} and the classes in {@code target},
     * int64 {@code [n]}.
     */
    default Tensor crossEntropy(Tensor target) {
        return Ops.crossEntropy((Tensor) this, target);
    }
}
