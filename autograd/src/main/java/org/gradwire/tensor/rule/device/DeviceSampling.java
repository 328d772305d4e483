package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.jspecify.annotations.Nullable;

import java.util.random.RandomGenerator;

/**
 * Bernoulli and multinomial sampling by a device's kernels. A generator of the host gives the key
 * of each call, see {@link org.gradwire.tensor.kernel.DeviceRandom}.
 */
public final class DeviceSampling {
    private static final long MOST_COMPARISONS = 1L << 32;
    private static final Elements<?> LONGS = DTypeAccess.elements(DType.INT64);
    private static final Elements<?> DOUBLES = DTypeAccess.elements(DType.FLOAT64);

    private DeviceSampling() {}

    /** {@return ones with their probabilities, else zeros; null for probabilities to refuse too} */
    public static @Nullable Tensor bernoulli(Tensor probabilities, RandomGenerator generator) {
        if (probabilities.device().isCpu()) {
            return null;
        }
        Elements<?> elements = DTypeAccess.elements(probabilities.dtype());
        Tensor result = TensorAccess.fresh(probabilities.dtype(), TensorAccess.dims(probabilities));
        if (!DeviceCall.isPossible("bernoulli", elements, TensorAccess.strided(result))
                || DeviceMasks.any("is_no_probability", probabilities)) {
            return null;
        }
        boolean done =
                new DeviceCall("bernoulli", elements, TensorAccess.strided(result))
                        .with(generator.nextLong())
                        .with(elements, TensorAccess.strided(probabilities))
                        .with(1L)
                        .run();
        return done ? result : null;
    }

    /**
     * Return the numbers of drawn elements; null where the device has no kernels, for weights to
     * refuse, and for too many weights to draw without replacement.
     *
     * @param weights {@code [n]} or {@code [m, n]}
     */
    public static @Nullable Tensor multinomial(
            Tensor weights, RandomGenerator generator, int count, boolean replacement) {
        int[] shape = TensorAccess.dims(weights).clone();
        int size = shape[shape.length - 1];
        shape[shape.length - 1] = count;
        boolean few = (long) weights.numel() * size <= MOST_COMPARISONS;
        if (weights.device().isCpu() || weights.numel() == 0 || !(replacement || few)) {
            return null;
        }
        Tensor result = TensorAccess.fresh(DType.INT64, shape);
        if (!DeviceCall.isPossible("multinomial", LONGS, TensorAccess.strided(result))
                || leastPositive(weights, size) < (replacement ? 1 : count)) {
            return null;
        }
        boolean done =
                replacement
                        ? again(weights, size, generator.nextLong(), count, result)
                        : once(weights, size, generator.nextLong(), count, result);
        return done ? result : null;
    }

    /** {@return the least number of positive weights in a row; -1 if there are refused ones} */
    private static long leastPositive(Tensor weights, int size) {
        int rows = weights.numel() / size;
        Tensor counts = TensorAccess.fresh(DType.INT64, new int[] {rows});
        boolean done =
                new DeviceCall("count_positive", LONGS, TensorAccess.strided(counts))
                        .with(DTypeAccess.elements(weights.dtype()), TensorAccess.strided(weights))
                        .with((long) size)
                        .run();
        Tensor least =
                done
                        ? DeviceReductions.fold(
                                Binary.MIN, counts, new boolean[] {true}, new int[0])
                        : null;
        return least == null ? -1 : least.toLongArray()[0];
    }

    /** Look up random numbers among the running sums of the weights. */
    private static boolean again(Tensor weights, int size, long key, int count, Tensor result) {
        Elements<?> elements = DTypeAccess.elements(weights.dtype());
        Tensor ends = TensorAccess.fresh(DType.FLOAT64, TensorAccess.dims(weights));
        return new DeviceCall("running_shares", DOUBLES, TensorAccess.strided(ends))
                        .with(elements, TensorAccess.strided(weights))
                        .with((long) size)
                        .run()
                && new DeviceCall("multinomial", LONGS, TensorAccess.strided(result))
                        .with(key)
                        .with(DOUBLES, TensorAccess.strided(ends))
                        .with(elements, TensorAccess.strided(weights))
                        .with((long) size)
                        .with((long) count)
                        .with(1L)
                        .run();
    }

    /** Draw the elements with the least waiting times, in their order; see the host's rule. */
    private static boolean once(Tensor weights, int size, long key, int count, Tensor result) {
        Tensor times = TensorAccess.fresh(DType.FLOAT64, TensorAccess.dims(weights));
        return new DeviceCall("waiting_times", DOUBLES, TensorAccess.strided(times))
                        .with(key)
                        .with(DTypeAccess.elements(weights.dtype()), TensorAccess.strided(weights))
                        .with(1L)
                        .run()
                && new DeviceCall("least_indices", LONGS, TensorAccess.strided(result))
                        .with(DOUBLES, TensorAccess.strided(times))
                        .with(DOUBLES, TensorAccess.strided(times))
                        .with((long) count)
                        .with((long) size)
                        .run();
    }
}
