package org.gradwire.nn;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.nn.internal.Repr;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A bilinear layer of two inputs: {@code y[o] = x1 · weight[o] · x2 + bias[o]}. */
@RemoteCallable
@WireValue
public final class Bilinear extends Module implements WireModule<Bilinear.Configuration> {
    private final Configuration configuration;
    private final Tensor weight;
    private final @Nullable Tensor bias;

    /**
     * The shape of a layer.
     *
     * @param in1Features size of the first input's last dimension
     * @param in2Features size of the second input's last dimension
     * @param outFeatures size of the output's last dimension
     * @param bias whether a learned bias is added
     */
    @WireValue
    public record Configuration(int in1Features, int in2Features, int outFeatures, boolean bias) {

        /** Validates the arguments. */
        public Configuration {
            ArgumentChecks.requirePositive(in1Features, "in1Features");
            ArgumentChecks.requirePositive(in2Features, "in2Features");
            ArgumentChecks.requirePositive(outFeatures, "outFeatures");
        }
    }

    /** Create a layer with random parameters. */
    public Bilinear(int in1Features, int in2Features, int outFeatures) {
        this(new Configuration(in1Features, in2Features, outFeatures, true), Seeds.any());
    }

    /** Create a layer with parameters drawn from a seeded generator. */
    public Bilinear(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    Bilinear(Configuration configuration) {
        this.configuration = configuration;
        int out = configuration.outFeatures;
        weight =
                registerParameter(
                        "weight",
                        ParameterTensors.unset(
                                out, configuration.in1Features, configuration.in2Features));
        bias = configuration.bias ? registerParameter("bias", ParameterTensors.unset(out)) : null;
    }

    /** Initialize the parameters uniformly within plus and minus {@code 1 / sqrt(in1Features)}. */
    public void resetParameters(RandomGenerator random) {
        double bound = 1 / Math.sqrt(configuration.in1Features);
        parameters().forEach(parameter -> Init.uniform_(parameter, -bound, bound, random));
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** {@return the weight, of shape (outFeatures, in1Features, in2Features)} */
    public Tensor weight() {
        return weight;
    }

    /**
     * Compute the output of two inputs.
     *
     * @param input1 shape (..., in1Features)
     * @param input2 shape (..., in2Features)
     * @return shape (..., outFeatures)
     */
    public Tensor forward(Tensor input1, Tensor input2) {
        // One row [1, in1] for each pair, times all matrices at once: [..., out, 1, in2].
        Tensor rows = input1.unsqueeze(-2).unsqueeze(-2);
        Tensor mapped = rows.matmul(weight).squeeze(-2);
        Tensor output = mapped.mul(input2.unsqueeze(-2)).sum(-1);
        return bias == null ? output : output.add(bias);
    }

    @Override
    protected String extraRepr() {
        return "in1_features=%d, in2_features=%d, out_features=%d, bias=%s"
                .formatted(
                        configuration.in1Features,
                        configuration.in2Features,
                        configuration.outFeatures,
                        Repr.of(configuration.bias));
    }
}
