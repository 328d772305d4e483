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

/** A multi-layer gated recurrent unit (GRU). */
@RemoteCallable
@WireValue
public final class GRU extends Module implements WireModule<RecurrentConfiguration> {
    private final Recurrence recurrence;

    /** Create one layer with random parameters. */
    public GRU(int inputSize, int hiddenSize) {
        this(builder(inputSize, hiddenSize).configuration(), Seeds.any());
    }

    /** Create layers with parameters and dropout drawn from a seeded generator. */
    public GRU(RecurrentConfiguration configuration, long seed) {
        recurrence = new Recurrence(this, configuration, new RecurrentCells.Gated(), seed);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN until they are loaded. */
    GRU(RecurrentConfiguration configuration) {
        recurrence = new Recurrence(this, configuration, new RecurrentCells.Gated(), Seeds.any());
    }

    /** Start a builder of one layer with the default options. */
    public static RecurrentBuilder<RecurrentConfiguration, GRU> builder(
            int inputSize, int hiddenSize) {
        return new RecurrentBuilder<>(inputSize, hiddenSize, options -> options, GRU::new);
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
        return recurrence.options().repr();
    }
}
