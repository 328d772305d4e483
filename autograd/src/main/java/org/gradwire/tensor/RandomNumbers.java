package org.gradwire.tensor;

import java.util.random.RandomGenerator;

/** Fills tensors with random numbers. */
final class RandomNumbers {

    private RandomNumbers() {}

    static void normal(Tensor target, RandomGenerator generator, double mean, double std) {
        Overlaps.check(MathRules.fractions("normal_kernel_cpu", target));
        if (!(std >= 0)) {
            throw new IllegalArgumentException("normal expects std >= 0.0, but found std " + std);
        }
        double[] numbers = new double[target.numel()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = mean + std * generator.nextGaussian();
        }
        Elementwise.copyInto(target, Tensor.of(numbers, target.dims));
    }

    static void uniform(Tensor target, RandomGenerator generator, double from, double to) {
        Overlaps.check(MathRules.fractions("check_uniform_bounds", target));
        if (!(from <= to) || Double.isInfinite(from) || Double.isInfinite(to)) {
            throw new IllegalArgumentException(
                    "uniform_ expects to return a [from, to) range, but found from=%s > to=%s"
                            .formatted(from, to));
        }
        boolean single = target.dtype() == DType.FLOAT32;
        boolean empty = single ? (float) from == (float) to : from == to;
        double[] numbers = new double[target.numel()];
        for (int i = 0; i < numbers.length; i++) {
            if (empty) {
                numbers[i] = from;
            } else if (single) { // as a double it could round to the bound
                numbers[i] = generator.nextFloat((float) from, (float) to);
            } else {
                numbers[i] = generator.nextDouble(from, to);
            }
        }
        Elementwise.copyInto(target, Tensor.of(numbers, target.dims));
    }
}
