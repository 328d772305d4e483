package org.gradwire.nn.recurrent;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;

/**
 * The options of {@link LSTM}, {@link GRU} and {@link RNN}.
 *
 * @param inputSize the size of the input's last dimension
 * @param hiddenSize the size of the hidden state
 * @param numLayers the number of stacked layers
 * @param bias whether a learned bias is added
 * @param batchFirst whether inputs and outputs are {@code [n, time, ...]}, not {@code [time, n,
 *     ...]}; the layout of states does not change
 * @param dropout the dropout probability between layers
 * @param bidirectional whether each layer also processes the sequence in reverse, which doubles the
 *     width of its output
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

    /** Validates the options. */
    public RecurrentConfiguration {
        ArgumentChecks.requirePositive(inputSize, "inputSize");
        ArgumentChecks.requirePositive(hiddenSize, "hiddenSize");
        ArgumentChecks.requireLayers(numLayers);
        ArgumentChecks.requireProbability(dropout);
        if (dropout > 0 && numLayers == 1) {
            throw new IllegalArgumentException(
                    "dropout acts between layers and needs more than one; got dropout=%s and numLayers=1"
                            .formatted(dropout));
        }
    }

    /** Builds the layers. */
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

        /** Set the number of layers; 1 by default. */
        public Builder numLayers(int count) {
            numLayers = count;
            return this;
        }

        /** Set whether a learned bias is added; true by default. */
        public Builder bias(boolean wanted) {
            bias = wanted;
            return this;
        }

        /** Make the batch the first dimension of inputs and outputs. */
        public Builder batchFirst(boolean wanted) {
            batchFirst = wanted;
            return this;
        }

        /** Set the dropout probability between layers; 0 by default. */
        public Builder dropout(double p) {
            dropout = p;
            return this;
        }

        /** Also process the sequence in reverse. */
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

    /** Start a builder of one layer with the default options. */
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
