package org.gradwire.nn.recurrent;

import org.gradwire.nn.Module;
import org.gradwire.nn.internal.Seeds;

import java.util.function.Function;

/**
 * Builds the layers of an {@link LSTM}, a {@link GRU} or an {@link RNN}.
 *
 * @param <C> type of the configuration
 * @param <L> type of the layers
 */
public final class RecurrentBuilder<C extends Record, L extends Module> {
    private final int inputSize;
    private final int hiddenSize;
    private final Function<RecurrentConfiguration, C> configurations;
    private final SeededConstructor<C, L> constructor;
    private int numLayers = 1;
    private boolean bias = true;
    private boolean batchFirst;
    private double dropout;
    private boolean bidirectional;

    /** A constructor of layers with random parameters. */
    interface SeededConstructor<C, L> {
        L create(C configuration, long seed);
    }

    RecurrentBuilder(
            int inputSize,
            int hiddenSize,
            Function<RecurrentConfiguration, C> configurations,
            SeededConstructor<C, L> constructor) {
        this.inputSize = inputSize;
        this.hiddenSize = hiddenSize;
        this.configurations = configurations;
        this.constructor = constructor;
    }

    /** Set the number of layers; 1 by default. */
    public RecurrentBuilder<C, L> numLayers(int count) {
        numLayers = count;
        return this;
    }

    /** Set whether a learned bias is added; true by default. */
    public RecurrentBuilder<C, L> bias(boolean wanted) {
        bias = wanted;
        return this;
    }

    /** Make the batch the first dimension of inputs and outputs. */
    public RecurrentBuilder<C, L> batchFirst(boolean wanted) {
        batchFirst = wanted;
        return this;
    }

    /** Set the dropout probability between layers; 0 by default. */
    public RecurrentBuilder<C, L> dropout(double p) {
        dropout = p;
        return this;
    }

    /** Also process the sequence in reverse. */
    public RecurrentBuilder<C, L> bidirectional(boolean wanted) {
        bidirectional = wanted;
        return this;
    }

    /** {@return the options} */
    public C configuration() {
        return configurations.apply(
                new RecurrentConfiguration(
                        inputSize,
                        hiddenSize,
                        numLayers,
                        bias,
                        batchFirst,
                        dropout,
                        bidirectional));
    }

    /** {@return layers with random parameters} */
    public L build() {
        return build(Seeds.any());
    }

    /** {@return layers with parameters and dropout drawn from a seeded generator} */
    public L build(long seed) {
        return constructor.create(configuration(), seed);
    }
}
