package org.gradwire.examples.parameterserver;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/**
 * The state of the training before a step.
 *
 * @param step number of steps done
 * @param losses of these steps
 * @param model parameters of the trainer, by name
 * @param table the rows of each shard of the embedding
 * @param optimizer state of the optimizer, of all parameters
 */
@WireValue
public record Snapshot(
        int step,
        List<Double> losses,
        Map<String, Tensor> model,
        List<Tensor> table,
        Map<String, Tensor> optimizer) {}
