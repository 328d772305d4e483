package org.gradwire.tensor;

import java.util.random.RandomGenerator;

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

    /** Average the squares of the differences from {@code target}. */
    default Tensor mseLoss(Tensor target) {
        return Ops.mseLoss((Tensor) this, target, "mean");
    }

    /** Average the absolute values of the differences from {@code target}. */
    default Tensor l1Loss(Tensor target) {
        return Ops.l1Loss((Tensor) this, target, "mean");
    }

    /** Average the cross-entropy of scores of any size and targets from 0 to 1. */
    default Tensor bceWithLogits(Tensor target) {
        return Ops.bceWithLogits((Tensor) this, target, null, null, "mean");
    }

    /** Take the largest number of each window of {@code kernelSize}; windows do not overlap. */
    default Tensor maxPool2d(int... kernelSize) {
        int[] none = {};
        return Ops.maxPool2d((Tensor) this, kernelSize, none, new int[] {0}, new int[] {1}, false);
    }

    /** Average each window of {@code kernelSize}; windows do not overlap. */
    default Tensor avgPool2d(int... kernelSize) {
        int[] none = {};
        return Ops.avgPool2d((Tensor) this, kernelSize, none, new int[] {0}, false, true, null);
    }

    /** Average so many windows that share each image. */
    default Tensor adaptiveAvgPool2d(int... outputSize) {
        return Ops.adaptiveAvgPool2d((Tensor) this, outputSize);
    }

    /** Bring each part of the last dimensions to mean 0 and variance 1 (plus 1e-5). */
    default Tensor layerNorm(int... normalizedShape) {
        return Ops.layerNorm((Tensor) this, normalizedShape, null, null, 1e-5);
    }

    /**
     * Set each element to zero with probability {@code p}, and the others to {@code x / (1 - p)}.
     * The mask is kept for the gradient.
     *
     * @param training gives this tensor itself when false
     * @param generator drawn from once for two elements
     */
    default Tensor dropout(double p, boolean training, RandomGenerator generator) {
        return Dropouts.dropout((Tensor) this, p, training, generator);
    }

    /** Compute {@code log(sigmoid(x))}, also where the sigmoid is next to zero. */
    default Tensor logSigmoid() {
        return Ops.logSigmoid((Tensor) this);
    }

    /** Compute {@code x * tanh(softplus(x))}. */
    default Tensor mish() {
        return Ops.mish((Tensor) this);
    }

    /** Compute {@code x * relu6(x + 3) / 6}. */
    default Tensor hardswish() {
        return Ops.hardswish((Tensor) this);
    }

    /** Compute {@code relu6(x + 3) / 6}. */
    default Tensor hardsigmoid() {
        return Ops.hardsigmoid((Tensor) this);
    }

    /** Keep elements between 0 and 6. */
    default Tensor relu6() {
        return Ops.relu6((Tensor) this);
    }

    /** Compute the exponential linear unit that normalizes itself; see {@link Ops#selu}. */
    default Tensor selu() {
        return Ops.selu((Tensor) this);
    }

    /** Compute {@code max(0, x) + min(0, alpha * (exp(x / alpha) - 1))}. */
    default Tensor celu(Number alpha) {
        return Ops.celu((Tensor) this, alpha);
    }

    /** Compute {@code x / (1 + |x|)}. */
    default Tensor softsign() {
        return Ops.softsign((Tensor) this);
    }

    /** Multiply the first half along a dimension by the sigmoid of the second. */
    default Tensor glu(int dim) {
        return Ops.glu((Tensor) this, dim);
    }

    /** Multiply negative elements by a weight; see {@link Ops#prelu}. */
    default Tensor prelu(Tensor weight) {
        return Ops.prelu((Tensor) this, weight);
    }

    /**
     * Add zeros before and after the last dimensions: {@code pad(1, 2)} one before the elements of
     * the last one and two after; see {@link Ops#pad}.
     */
    default Tensor pad(int... pad) {
        return Ops.pad((Tensor) this, pad, "constant", null);
    }

    /** Add elements around the last dimensions in another mode; see {@link Ops#pad}. */
    default Tensor pad(int[] pad, String mode) {
        return Ops.pad((Tensor) this, pad, mode, null);
    }

    /** Move channels into space; see {@link Ops#pixelShuffle}. */
    default Tensor pixelShuffle(int upscaleFactor) {
        return Ops.pixelShuffle((Tensor) this, upscaleFactor);
    }
}
