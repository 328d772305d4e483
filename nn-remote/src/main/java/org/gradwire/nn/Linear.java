package org.gradwire.nn;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.nn.internal.Repr;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A linear layer, applied to the last dimension: {@code y = x · weightᵀ + bias}. */
@RemoteCallable
@WireValue
public final class Linear extends Module implements Layer, WireModule<Linear.Configuration> {
    private final Configuration configuration;
    private final Tensor weight;
    private final @Nullable Tensor bias;

    /**
     * The options of a layer.
     *
     * @param inFeatures the size of the input's last dimension
     * @param outFeatures the size of the output's last dimension
     * @param bias whether a learned bias is added
     */
    @WireValue
    public record Configuration(int inFeatures, int outFeatures, boolean bias) {

        /** Validates the arguments. */
        public Configuration {
            if (inFeatures < 1 || outFeatures < 1) {
                throw new IllegalArgumentException(
                        "a linear layer needs at least one feature on each side, not %d and %d"
                                .formatted(inFeatures, outFeatures));
            }
        }
    }

    /** Create a layer with random parameters. */
    public Linear(int inFeatures, int outFeatures) {
        this(inFeatures, outFeatures, Seeds.any());
    }

    /**
     * Create a layer with parameters drawn from a seeded generator.
     *
     * @param inFeatures size of the input's last dimension
     * @param outFeatures size of the output's last dimension
     */
    public Linear(int inFeatures, int outFeatures, long seed) {
        this(new Configuration(inFeatures, outFeatures, true), seed);
    }

    /** Create a layer with parameters drawn from a seeded generator. */
    public Linear(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    Linear(Configuration configuration) {
        this.configuration = configuration;
        int out = configuration.outFeatures;
        weight = registerParameter("weight", ParameterTensors.unset(out, configuration.inFeatures));
        bias = configuration.bias ? registerParameter("bias", ParameterTensors.unset(out)) : null;
    }

    /** Initialize the parameters uniformly within plus and minus {@code 1 / sqrt(inFeatures)}. */
    public void resetParameters(RandomGenerator random) {
        ParameterTensors.initialize(weight, bias, random);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** {@return the weight, of shape (outFeatures, inFeatures)} */
    public Tensor weight() {
        return weight;
    }

    /**
     * {@return the bias, of shape (outFeatures)}
     *
     * @throws IllegalStateException when it has none
     */
    public Tensor bias() {
        return ArgumentChecks.required(bias, "bias", this);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.linear(input, weight, bias);
    }

    @Override
    protected String extraRepr() {
        return "in_features=%d, out_features=%d, bias=%s"
                .formatted(
                        configuration.inFeatures,
                        configuration.outFeatures,
                        Repr.of(configuration.bias));
    }
}
