package org.gradwire.nn.recurrent;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;

/**
 * The options of {@link LSTM}, {@link GRU} and {@link RNN}, made by their builders.
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
