package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceRandom;
import org.gradwire.tensor.storage.MemoryOverlap;

import java.util.random.RandomGenerator;

/** Fills tensors with random numbers. */
public final class RandomNumbers {

    private static final int FLOAT16_DIGITS = 11;
    private static final int BFLOAT16_DIGITS = 8;

    private RandomNumbers() {}

    public static void normal(Tensor target, RandomGenerator generator, double mean, double std) {
        MemoryOverlap.check(MathRules.fractions("normal_", target));
        if (!(std >= 0)) {
            throw new IllegalArgumentException("normal expects std >= 0.0, but found std " + std);
        }
        if (DeviceRandom.normal(
                DTypeAccess.elements(target.dtype()),
                TensorAccess.strided(target),
                generator,
                mean,
                std)) {
            TensorAccess.storage(target).changed();
            return;
        }
        double[] numbers = new double[target.numel()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = mean + std * generator.nextGaussian();
        }
        Elementwise.copyInto(target, Tensor.of(numbers, TensorAccess.dims(target)));
    }

    public static void uniform(Tensor target, RandomGenerator generator, double from, double to) {
        MemoryOverlap.check(MathRules.fractions("uniform_", target));
        if (!(from <= to) || Double.isInfinite(from) || Double.isInfinite(to)) {
            throw new IllegalArgumentException(
                    "uniform_ expects to return a [from, to) range, but found from=%s > to=%s"
                            .formatted(from, to));
        }
        if (DeviceRandom.uniform(
                DTypeAccess.elements(target.dtype()),
                TensorAccess.strided(target),
                generator,
                from,
                to)) {
            TensorAccess.storage(target).changed();
            return;
        }
        DType dtype = target.dtype();
        boolean single = dtype == DType.FLOAT32;
        boolean empty = DTypeAccess.nearest(dtype, from) == DTypeAccess.nearest(dtype, to);
        double[] numbers = new double[target.numel()];
        for (int i = 0; i < numbers.length; i++) {
            if (empty) {
                numbers[i] = from;
            } else if (DTypeAccess.isReduced(dtype)) {
                numbers[i] = reduced(dtype, generator, from, to);
            } else if (single) { // as a double it could round to the bound
                numbers[i] = generator.nextFloat((float) from, (float) to);
            } else {
                numbers[i] = generator.nextDouble(from, to);
            }
        }
        Elementwise.copyInto(target, Tensor.of(numbers, TensorAccess.dims(target)));
    }

    /** Return a number of as many random bits as the type has, as PyTorch does. */
    private static double reduced(DType dtype, RandomGenerator generator, double from, double to) {
        int steps = 1 << (dtype == DType.FLOAT16 ? FLOAT16_DIGITS : BFLOAT16_DIGITS);
        double number =
                DTypeAccess.nearest(dtype, from + (to - from) * generator.nextInt(steps) / steps);
        return number < to ? number : from; // it may have been rounded to the bound
    }
}
