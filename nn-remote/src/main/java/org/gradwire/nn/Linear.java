package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** An affine map of the last dimension: {@code y = x · weightᵀ + bias}. */
@RemoteCallable
@WireValue
public final class Linear extends Module implements Layer, WireModule<Linear.Configuration> {
    private final Tensor weight;
    private final Tensor bias;

    /**
     * The shape of a layer.
     *
     * @param inFeatures size of the input's last dimension
     * @param outFeatures size of the output's last dimension
     */
    @WireValue
    public record Configuration(int inFeatures, int outFeatures) {}

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
        checkFeatures(inFeatures, outFeatures);
        var random = new SplittableRandom(seed);
        weight =
                registerParameter(
                        "weight",
                        Initializers.kaimingUniform(random, inFeatures, outFeatures, inFeatures));
        bias =
                registerParameter(
                        "bias", Initializers.kaimingUniform(random, inFeatures, outFeatures));
    }

    /** Create a layer whose parameters are 0, for those that will be given to it. */
    public Linear(Configuration configuration) {
        int in = configuration.inFeatures();
        int out = configuration.outFeatures();
        checkFeatures(in, out);
        weight = registerParameter("weight", Tensor.zeros(out, in));
        bias = registerParameter("bias", Tensor.zeros(out));
    }

    private static void checkFeatures(int inFeatures, int outFeatures) {
        if (inFeatures < 1 || outFeatures < 1) {
            throw new IllegalArgumentException(
                    "a linear layer needs at least one feature on each side, not %d and %d"
                            .formatted(inFeatures, outFeatures));
        }
    }

    @Override
    public Configuration configuration() {
        return new Configuration(weight.size(1), weight.size(0));
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
    protected String extraRepr() {
        return "in_features=%d, out_features=%d, bias=True"
                .formatted(weight.size(1), weight.size(0));
    }
}
