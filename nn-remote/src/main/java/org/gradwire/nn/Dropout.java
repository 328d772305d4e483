package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Sets elements to zero by chance while training, and multiplies the others so that the expectation
 * stays. What is set follows from a seed and the number of inputs before; a copy that travelled
 * draws anew.
 */
@RemoteCallable
@WireValue
public final class Dropout extends Module implements Layer, WireModule<Dropout.Configuration> {
    private final Configuration configuration;
    private final Parameters.Generators generators;

    /**
     * The options of a layer.
     *
     * @param p the probability of zero, 0 to 1
     */
    @WireValue
    public record Configuration(double p) {

        /** Checks the probability. */
        public Configuration {
            Parameters.requireProbability(p);
        }
    }

    /**
     * Create a layer with a seed of chance.
     *
     * @param p the probability of zero, 0 to 1
     */
    public Dropout(double p) {
        this(new Configuration(p));
    }

    /**
     * Create a layer.
     *
     * @param p the probability of zero, 0 to 1
     */
    public Dropout(double p, long seed) {
        this(new Configuration(p), seed);
    }

    /** Create a layer with a seed of chance. */
    public Dropout(Configuration configuration) {
        this(configuration, Parameters.anySeed());
    }

    /** Create a layer. */
    public Dropout(Configuration configuration, long seed) {
        this.configuration = configuration;
        this.generators = new Parameters.Generators(seed);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    @Override
    public Tensor forward(Tensor input) {
        return generators.dropout(input, configuration.p, isTraining());
    }

    @Override
    protected String extraRepr() {
        return new Repr().add("p", configuration.p).toString();
    }
}
