package org.gradwire.nn.recurrent;

import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A multi-layer Elman recurrent network. */
@RemoteCallable
@WireValue
public final class RNN extends Module implements WireModule<RNN.Configuration> {
    private final Configuration configuration;
    private final Recurrence recurrence;

    /**
     * The options of the layers.
     *
     * @param layers the options that all recurrent layers have
     * @param nonlinearity {@code tanh} or {@code relu}
     */
    @WireValue
    public record Configuration(RecurrentConfiguration layers, String nonlinearity) {

        /** Validates the arguments. */
        public Configuration {
            if (!nonlinearity.equals("tanh") && !nonlinearity.equals("relu")) {
                throw new IllegalArgumentException(
                        "Unknown nonlinearity '%s'; take tanh or relu".formatted(nonlinearity));
            }
        }

        private Recurrence.Cell cell() {
            return new RecurrentCells.Plain(nonlinearity.equals("relu"));
        }
    }

    /** Create one layer with random parameters, and the hyperbolic tangent. */
    public RNN(int inputSize, int hiddenSize) {
        this(builder(inputSize, hiddenSize).configuration(), Seeds.any());
    }

    /** Create layers with parameters and dropout drawn from a seeded generator. */
    public RNN(Configuration configuration, long seed) {
        this.configuration = configuration;
        recurrence = new Recurrence(this, configuration.layers, configuration.cell(), seed);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN until they are loaded. */
    RNN(Configuration configuration) {
        this.configuration = configuration;
        recurrence = new Recurrence(this, configuration.layers, configuration.cell(), Seeds.any());
    }

    /** Start a builder of one layer with the hyperbolic tangent and the default options. */
    public static RecurrentBuilder<Configuration, RNN> builder(int inputSize, int hiddenSize) {
        return builder(inputSize, hiddenSize, "tanh");
    }

    /**
     * Start a builder of one layer with the default options.
     *
     * @param nonlinearity {@code tanh} or {@code relu}
     */
    public static RecurrentBuilder<Configuration, RNN> builder(
            int inputSize, int hiddenSize, String nonlinearity) {
        return new RecurrentBuilder<>(
                inputSize, hiddenSize, layers -> new Configuration(layers, nonlinearity), RNN::new);
    }

    /** Initialize the parameters uniformly within plus and minus {@code 1 / sqrt(hiddenSize)}. */
    public void resetParameters(RandomGenerator random) {
        recurrence.reset(random);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /**
     * Process sequences from an initial state of zeros.
     *
     * @param input {@code [time, n, inputSize]}, or {@code [n, time, inputSize]} with the batch
     *     first; {@code [time, inputSize]} for an unbatched input, whose results have no {@code n}
     *     either
     */
    public RecurrentOutput forward(Tensor input) {
        return forward(input, List.of());
    }

    /**
     * As {@link #forward(Tensor)}, from a given initial state.
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
