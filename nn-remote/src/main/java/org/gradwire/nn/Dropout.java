package org.gradwire.nn;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.DropoutGenerators;
import org.gradwire.nn.internal.Repr;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Sets random elements to zero while training, and scales the others so that the expectation stays.
 * The choice follows from a seed and the number of earlier inputs; a received copy has a new seed.
 */
@RemoteCallable
@WireValue
public final class Dropout extends Module implements Layer, WireModule<Dropout.Configuration> {
    private final Configuration configuration;
    private final DropoutGenerators generators;

    /**
     * The options of a layer.
     *
     * @param p the probability of zero, 0 to 1
     */
    @WireValue
    public record Configuration(double p) {

        /** Validates the probability. */
        public Configuration {
            ArgumentChecks.requireProbability(p);
        }
    }

    /**
     * Create a layer with a random seed.
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

    /** Create a layer with a random seed. */
    public Dropout(Configuration configuration) {
        this(configuration, Seeds.any());
    }

    /** Create a layer. */
    public Dropout(Configuration configuration, long seed) {
        this.configuration = configuration;
        this.generators = new DropoutGenerators(seed);
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
