package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Layers of gated recurrent units, which go through sequences step by step. */
@RemoteCallable
@WireValue
public final class GRU extends Module implements WireModule<RecurrentConfiguration> {
    private final Recurrence recurrence;

    /** Create one layer with random parameters. */
    public GRU(int inputSize, int hiddenSize) {
        this(RecurrentConfiguration.builder(inputSize, hiddenSize).build(), Parameters.anySeed());
    }

    /** Create layers whose parameters, and what dropout draws, follow from a seed. */
    public GRU(RecurrentConfiguration configuration, long seed) {
        recurrence = new Recurrence(this, configuration, new Cells.Gated(), seed);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN, for those that will be given to them. */
    public GRU(RecurrentConfiguration configuration) {
        recurrence = new Recurrence(this, configuration, new Cells.Gated(), Parameters.anySeed());
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
        return recurrence.options().repr();
    }
}
