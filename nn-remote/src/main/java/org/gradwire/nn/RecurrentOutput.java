package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * What {@link GRU} and {@link RNN} give.
 *
 * @param output of the last layer at each step: {@code [time, n, directions * hiddenSize]}, or
 *     {@code [n, time, ...]} with the batch first
 * @param hidden the state at the end: {@code [numLayers * directions, n, hiddenSize]}
 */
@WireValue
public record RecurrentOutput(Tensor output, Tensor hidden) {}
