package org.gradwire.nn;

import org.gradwire.rpc.WireValue;

/**
 * The options of {@link LSTM}, {@link GRU} and {@link RNN}.
 *
 * @param inputSize size of the input's last dimension
 * @param hiddenSize size of a state
 * @param numLayers how many layers, each of which takes the output of the one before
 * @param bias whether something is added
 * @param batchFirst whether inputs and outputs are {@code [n, time, ...]}, not {@code [time, n,
 *     ...]}; states are not concerned
 * @param dropout the probability with which elements between layers are set to zero in training
 * @param bidirectional whether each layer also goes through the sequence from its end, and its
 *     output is twice as wide
 */
@WireValue
public record RecurrentConfiguration(
        int inputSize,
        int hiddenSize,
        int numLayers,
        boolean bias,
        boolean batchFirst,
        double dropout,
        boolean bidirectional) {

    /** Checks the options. */
    public RecurrentConfiguration {
        Parameters.requirePositive(inputSize, "input_size");
        Parameters.requirePositive(hiddenSize, "hidden_size");
        Parameters.requireLayers(numLayers);
        Parameters.requireProbability(dropout);
        if (dropout > 0 && numLayers == 1) {
            throw new IllegalArgumentException(
                    "dropout acts between layers and needs more than one; got dropout=%s and num_layers=1"
                            .formatted(dropout));
        }
    }

    /** Collects the options. */
    public static final class Builder {
        private final int inputSize;
        private final int hiddenSize;
        private int numLayers = 1;
        private boolean bias = true;
        private boolean batchFirst;
        private double dropout;
        private boolean bidirectional;

        private Builder(int inputSize, int hiddenSize) {
            this.inputSize = inputSize;
            this.hiddenSize = hiddenSize;
        }

        /** Say how many layers there are; one if nothing is said. */
        public Builder numLayers(int count) {
            numLayers = count;
            return this;
        }

        /** Say whether something is added; yes if nothing is said. */
        public Builder bias(boolean wanted) {
            bias = wanted;
            return this;
        }

        /** Have inputs and outputs with the batch as the first dimension. */
        public Builder batchFirst(boolean wanted) {
            batchFirst = wanted;
            return this;
        }

        /** Set elements between layers to zero with a probability, in training. */
        public Builder dropout(double p) {
            dropout = p;
            return this;
        }

        /** Go through the sequence from its end, too. */
        public Builder bidirectional(boolean wanted) {
            bidirectional = wanted;
            return this;
        }

        /** {@return the options} */
        public RecurrentConfiguration build() {
            return new RecurrentConfiguration(
                    inputSize, hiddenSize, numLayers, bias, batchFirst, dropout, bidirectional);
        }
    }

    /** Begin with one layer without further options. */
    public static Builder builder(int inputSize, int hiddenSize) {
        return new Builder(inputSize, hiddenSize);
    }

    int directions() {
        return bidirectional ? 2 : 1;
    }

    String repr() {
        return new Repr(inputSize, hiddenSize)
                .add("num_layers", numLayers, 1)
                .add("bias", bias, true)
                .add("batch_first", batchFirst, false)
                .add("dropout", dropout, 0.0)
                .add("bidirectional", bidirectional, false)
                .toString();
    }
}
