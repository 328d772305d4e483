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

/** A multi-layer long short-term memory (LSTM). */
@RemoteCallable
@WireValue
public final class LSTM extends Module implements WireModule<RecurrentConfiguration> {
    private final Recurrence recurrence;

    /**
     * The state of all layers and directions.
     *
     * @param h the hidden state: {@code [numLayers * directions, n, hiddenSize]}
     * @param c the cell state, of the same shape
     */
    @WireValue
    public record State(Tensor h, Tensor c) {}

    /**
     * The result of the layers.
     *
     * @param output of the last layer at each step: {@code [time, n, directions * hiddenSize]}, or
     *     {@code [n, time, ...]} with the batch first
     * @param state the final state
     */
    @WireValue
    public record Output(Tensor output, State state) {}

    /** Create one layer with random parameters. */
    public LSTM(int inputSize, int hiddenSize) {
        this(builder(inputSize, hiddenSize).configuration(), Seeds.any());
    }

    /** Create layers with parameters and dropout drawn from a seeded generator. */
    public LSTM(RecurrentConfiguration configuration, long seed) {
        recurrence = new Recurrence(this, configuration, new RecurrentCells.LongShortTerm(), seed);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN until they are loaded. */
    LSTM(RecurrentConfiguration configuration) {
        recurrence =
                new Recurrence(
                        this, configuration, new RecurrentCells.LongShortTerm(), Seeds.any());
    }

    /** Start a builder of one layer with the default options. */
    public static RecurrentBuilder<RecurrentConfiguration, LSTM> builder(
            int inputSize, int hiddenSize) {
        return new RecurrentBuilder<>(inputSize, hiddenSize, options -> options, LSTM::new);
    }

    /** Initialize the parameters uniformly within plus and minus {@code 1 / sqrt(hiddenSize)}. */
    public void resetParameters(RandomGenerator random) {
        recurrence.reset(random);
    }

    @Override
    public RecurrentConfiguration configuration() {
        return recurrence.options();
    }

    /**
     * Process sequences from an initial state of zeros.
     *
     * @param input {@code [time, n, inputSize]}, or {@code [n, time, inputSize]} with the batch
     *     first; {@code [time, inputSize]} for an unbatched input, whose results have no {@code n}
     *     either
     */
    public Output forward(Tensor input) {
        return forward(input, List.of());
    }

    /** As {@link #forward(Tensor)}, from a given initial state. */
    public Output forward(Tensor input, State state) {
        return forward(input, List.of(state.h, state.c));
    }

    private Output forward(Tensor input, List<Tensor> state) {
        List<Tensor> results = recurrence.run(input, state);
        return new Output(results.getFirst(), new State(results.get(1), results.get(2)));
    }

    @Override
    protected String extraRepr() {
        return recurrence.options().repr();
    }
}
