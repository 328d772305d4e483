package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** An affine map of the last dimension: {@code y = x · weightᵀ + bias}. */
@RemoteCallable
public final class Linear extends Module implements Layer {
    private final Tensor weight;
    private final Tensor bias;

    /** Create a layer with random parameters. */
    public Linear(int inFeatures, int outFeatures) {
        this(inFeatures, outFeatures, RandomGenerator.getDefault().nextLong());
    }

    /**
     * Create a layer whose parameters follow from a seed.
     *
     * @param inFeatures size of the input's last dimension
     * @param outFeatures size of the output's last dimension
     */
    public Linear(int inFeatures, int outFeatures, long seed) {
        if (inFeatures < 1 || outFeatures < 1) {
            throw new IllegalArgumentException(
                    "a linear layer needs at least one feature on each side, not %d and %d"
                            .formatted(inFeatures, outFeatures));
        }
        var random = new SplittableRandom(seed);
        weight =
                registerParameter(
                        "weight",
                        Initializers.kaimingUniform(random, inFeatures, outFeatures, inFeatures));
        bias =
                registerParameter(
                        "bias", Initializers.kaimingUniform(random, inFeatures, outFeatures));
    }

    /** {@return the weight, of shape (outFeatures, inFeatures)} */
    public Tensor weight() {
        return weight;
    }

    /** {@return the bias, of shape (outFeatures)} */
    public Tensor bias() {
        return bias;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.linear(input, weight, bias);
    }

    @Override
    public String toString() {
        return "Linear(in_features=%d, out_features=%d)".formatted(weight.size(1), weight.size(0));
    }
}
