package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Plain recurrent layers, after Elman, which go through sequences step by step. */
@RemoteCallable
@WireValue
public final class RNN extends Module implements WireModule<RNN.Configuration> {
    private final Configuration configuration;
    private final Recurrence recurrence;

    /**
     * The options of the layers.
     *
     * @param layers what recurrent layers have in common
     * @param nonlinearity {@code tanh} or {@code relu}
     */
    @WireValue
    public record Configuration(RecurrentConfiguration layers, String nonlinearity) {

        /** Checks the text. */
        public Configuration {
            if (!nonlinearity.equals("tanh") && !nonlinearity.equals("relu")) {
                throw new IllegalArgumentException(
                        "Unknown nonlinearity '%s'; take tanh or relu".formatted(nonlinearity));
            }
        }

        private Recurrence.Cell cell() {
            return new Cells.Plain(nonlinearity.equals("relu"));
        }
    }

    /** Create one layer with random parameters, and the hyperbolic tangent. */
    public RNN(int inputSize, int hiddenSize) {
        this(
                new Configuration(
                        RecurrentConfiguration.builder(inputSize, hiddenSize).build(), "tanh"),
                Parameters.anySeed());
    }

    /** Create layers whose parameters, and what dropout draws, follow from a seed. */
    public RNN(Configuration configuration, long seed) {
        this.configuration = configuration;
        recurrence = new Recurrence(this, configuration.layers, configuration.cell(), seed);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN, for those that will be given to them. */
    public RNN(Configuration configuration) {
        this.configuration = configuration;
        recurrence =
                new Recurrence(
                        this, configuration.layers, configuration.cell(), Parameters.anySeed());
    }

    /** Give the parameters new values: uniform in plus and minus {@code 1 / sqrt(hiddenSize)}. */
    public void resetParameters(RandomGenerator random) {
        recurrence.reset(random);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /**
     * Go through sequences from a state of zeros.
     *
     * @param input {@code [time, n, inputSize]}, or {@code [n, time, inputSize]} with the batch
     *     first; {@code [time, inputSize]} for a single one, whose results have no {@code n} either
     */
    public RecurrentOutput forward(Tensor input) {
        return forward(input, List.of());
    }

    /**
     * As {@link #forward(Tensor)}, from another state.
     *
     * @param hidden {@code [numLayers * directions, n, hiddenSize]}
     */
    public RecurrentOutput forward(Tensor input, Tensor hidden) {
        return forward(input, List.of(hidden));
    }

    private RecurrentOutput forward(Tensor input, List<Tensor> state) {
        List<Tensor> results = recurrence.run(input, state);
        return new RecurrentOutput(results.getFirst(), results.get(1));
    }

    @Override
    protected String extraRepr() {
        return configuration.layers.repr();
    }
}
