package org.gradwire.nn.recurrent;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The result of {@link GRU} and {@link RNN}.
 *
 * @param output of the last layer at each step: {@code [time, n, directions * hiddenSize]}, or
 *     {@code [n, time, ...]} with the batch first
 * @param hidden the final hidden state: {@code [numLayers * directions, n, hiddenSize]}
 */
@WireValue
public record RecurrentOutput(Tensor output, Tensor hidden) {}
