package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Layers of long short-term memory, which go through sequences step by step. */
@RemoteCallable
@WireValue
public final class LSTM extends Module implements WireModule<RecurrentConfiguration> {
    private final Recurrence recurrence;

    /**
     * A state of all layers and directions.
     *
     * @param h the output: {@code [numLayers * directions, n, hiddenSize]}
     * @param c the memory, of the same shape
     */
    @WireValue
    public record State(Tensor h, Tensor c) {}

    /**
     * What the layers give.
     *
     * @param output of the last layer at each step: {@code [time, n, directions * hiddenSize]}, or
     *     {@code [n, time, ...]} with the batch first
     * @param state at the end
     */
    @WireValue
    public record Output(Tensor output, State state) {}

    /** Create one layer with random parameters. */
    public LSTM(int inputSize, int hiddenSize) {
        this(RecurrentConfiguration.builder(inputSize, hiddenSize).build(), Parameters.anySeed());
    }

    /** Create layers whose parameters, and what dropout draws, follow from a seed. */
    public LSTM(RecurrentConfiguration configuration, long seed) {
        recurrence = new Recurrence(this, configuration, new Cells.LongShortTerm(), seed);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN, for those that will be given to them. */
    public LSTM(RecurrentConfiguration configuration) {
        recurrence =
                new Recurrence(
                        this, configuration, new Cells.LongShortTerm(), Parameters.anySeed());
    }

    /** Give the parameters new values: uniform in plus and minus {@code 1 / sqrt(hiddenSize)}. */
    public void resetParameters(RandomGenerator random) {
        recurrence.reset(random);
    }

    @Override
    public RecurrentConfiguration configuration() {
        return recurrence.options();
    }

    /**
     * Go through sequences from a state of zeros.
     *
     * @param input {@code [time, n, inputSize]}, or {@code [n, time, inputSize]} with the batch
     *     first; {@code [time, inputSize]} for a single one, whose results have no {@code n} either
     */
    public Output forward(Tensor input) {
        return forward(input, List.of());
    }

    /** As {@link #forward(Tensor)}, from another state. */
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
