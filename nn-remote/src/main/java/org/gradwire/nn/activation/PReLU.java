package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The parametric rectified linear unit: x, or {@code weight * x} for negative x, with one learned
 * weight for all channels or one for each.
 */
@RemoteCallable
@WireValue
public final class PReLU extends Module implements Layer, WireModule<PReLU.Configuration> {
    private final Configuration configuration;
    private final Tensor weight;

    /**
     * The options of a layer.
     *
     * @param numParameters 1, or the number of channels, which is dimension 1
     * @param init the initial value of the parameters
     */
    @WireValue
    public record Configuration(int numParameters, double init) {

        /** Validates the arguments. */
        public Configuration {
            ArgumentChecks.requirePositive(numParameters, "numParameters");
        }
    }

    /** Create a layer with one parameter, initially 0.25. */
    public PReLU() {
        this(new Configuration(1, 0.25));
    }

    /** Create a layer; its initial parameters are not random. */
    public PReLU(Configuration configuration) {
        this.configuration = configuration;
        Tensor first = ParameterTensors.filled(configuration.init, configuration.numParameters);
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
