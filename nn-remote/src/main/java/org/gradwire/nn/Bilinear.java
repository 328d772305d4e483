package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A map of two inputs that is linear in each: {@code y[o] = x1 · weight[o] · x2 + bias[o]}. */
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
     * @param bias whether something is added
     */
    @WireValue
    public record Configuration(int in1Features, int in2Features, int outFeatures, boolean bias) {

        /** Checks the numbers. */
        public Configuration {
            Parameters.requirePositive(in1Features, "in1_features");
            Parameters.requirePositive(in2Features, "in2_features");
            Parameters.requirePositive(outFeatures, "out_features");
        }
    }

    /** Create a layer with random parameters. */
    public Bilinear(int in1Features, int in2Features, int outFeatures) {
        this(new Configuration(in1Features, in2Features, outFeatures, true), Parameters.anySeed());
    }

    /** Create a layer whose parameters follow from a seed. */
    public Bilinear(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN, for those that will be given to it. */
    public Bilinear(Configuration configuration) {
        this.configuration = configuration;
        int out = configuration.outFeatures;
        weight =
                registerParameter(
                        "weight",
                        Parameters.unset(
                                out, configuration.in1Features, configuration.in2Features));
        bias = configuration.bias ? registerParameter("bias", Parameters.unset(out)) : null;
    }

    /** Give the parameters new values: uniform in plus and minus {@code 1 / sqrt(in1Features)}. */
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
