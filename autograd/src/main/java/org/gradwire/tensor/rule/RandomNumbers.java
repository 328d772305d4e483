package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceRandom;
import org.gradwire.tensor.storage.MemoryOverlap;

import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/** Fills tensors with random numbers. */
public final class RandomNumbers {

    private static final int BLOCK = 4096; // numbers
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
        draw(target, () -> mean + std * generator.nextGaussian());
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
        draw(target, uniform(target.dtype(), generator, from, to));
    }

    private static DoubleSupplier uniform(
            DType dtype, RandomGenerator generator, double from, double to) {
        if (DTypeAccess.nearest(dtype, from) == DTypeAccess.nearest(dtype, to)) {
            return () -> from;
        }
        if (DTypeAccess.isReduced(dtype)) {
            return () -> reduced(dtype, generator, from, to);
        }
        return dtype == DType.FLOAT32 // as a double it could round to the bound
                ? () -> generator.nextFloat((float) from, (float) to)
                : () -> generator.nextDouble(from, to);
    }

    /** Set the elements in sequence to numbers that are drawn; a block of them is on the heap. */
    private static void draw(Tensor target, DoubleSupplier numbers) {
        int count = target.numel();
        Tensor whole =
                target.isContiguous()
                        ? target
                        : TensorAccess.fresh(target.dtype(), TensorAccess.dims(target));
        Tensor flat = TensorAccess.viewAs(whole, count);
        double[] block = new double[Math.min(count, BLOCK)];
        int n;
        for (int start = 0; start < count; start += n) {
            n = Math.min(BLOCK, count - start);
            for (int i = 0; i < n; i++) {
                block[i] = numbers.getAsDouble();
            }
            Elementwise.copyInto(part(flat, start, n), part(Tensor.of(block, block.length), 0, n));
        }
        if (whole != target) {
            Elementwise.copyInto(target, whole);
        }
    }

    private static Tensor part(Tensor flat, int start, int length) {
        return TensorAccess.alias(
                flat,
                new int[] {length},
                TensorAccess.strides(flat),
                TensorAccess.offset(flat) + start);
    }

    /** Return a number of as many random bits as the type has, as PyTorch does. */
    private static double reduced(DType dtype, RandomGenerator generator, double from, double to) {
        int steps = 1 << (dtype == DType.FLOAT16 ? FLOAT16_DIGITS : BFLOAT16_DIGITS);
        double number =
                DTypeAccess.nearest(dtype, from + (to - from) * generator.nextInt(steps) / steps);
        return number < to ? number : from; // it may have been rounded to the bound
    }
}
