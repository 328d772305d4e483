package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** x, or a learned part of it where it is negative: one for all channels, or one for each. */
@RemoteCallable
@WireValue
public final class PReLU extends Module implements Layer, WireModule<PReLU.Configuration> {
    private final Configuration configuration;
    private final Tensor weight;

    /**
     * The options of a layer.
     *
     * @param numParameters 1, or the number of channels, which is dimension 1
     * @param init what the parameters begin with
     */
    @WireValue
    public record Configuration(int numParameters, double init) {

        /** Checks the number. */
        public Configuration {
            Parameters.requirePositive(numParameters, "num_parameters");
        }
    }

    /** Create a layer with one parameter, 0.25 at first. */
    public PReLU() {
        this(new Configuration(1, 0.25));
    }

    /** Create a layer. There is nothing random in it. */
    public PReLU(Configuration configuration) {
        this.configuration = configuration;
        Tensor first = Parameters.filled(configuration.init, configuration.numParameters);
        weight = registerParameter("weight", first);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.prelu(weight);
    }

    @Override
    protected String extraRepr() {
        return "num_parameters=" + configuration.numParameters;
    }
}
