package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.kernel.DoubleBlocks.Step;

import java.util.List;

/**
 * A step of a pointwise loss for which devices may have a kernel.
 *
 * @param kernel its name
 * @param numbers the last inputs of the kernel
 */
record KernelStep(String kernel, List<Double> numbers, Step onHost) implements Step {

    /** Name the kernel of a step without numbers. */
    KernelStep(String kernel, Step onHost) {
        this(kernel, List.of(), onHost);
    }

    @Override
    public void apply(double[][] x, double[] y, int n) {
        onHost.apply(x, y, n);
    }
}
