package org.gradwire.tensor.rule;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.device.DeviceSampling;
import org.gradwire.tensor.storage.CurrentDevice;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Bernoulli and multinomial sampling. On a device that has the kernels the generator gives their
 * key, else it runs on the host.
 */
public final class SamplingRules {

    private SamplingRules() {}

    public static Tensor bernoulli(Tensor probabilities, RandomGenerator generator) {
        requireFractions("bernoulli", probabilities);
        Tensor there =
                CurrentDevice.on(
                        probabilities.device(),
                        () -> DeviceSampling.bernoulli(probabilities, generator));
        if (there != null) {
            return there;
        }
        double[] numbers = probabilities.toDoubleArray();
        for (int i = 0; i < numbers.length; i++) {
            if (!(numbers[i] >= 0 && numbers[i] <= 1)) {
                throw new IllegalArgumentException(
                        "bernoulli: a probability must be from 0 to 1, but element %d is %s"
                                .formatted(i, numbers[i]));
            }
            numbers[i] = generator.nextDouble() < numbers[i] ? 1 : 0;
        }
        Tensor drawn =
                Tensor.of(numbers, TensorAccess.dims(probabilities)).to(probabilities.dtype());
        return drawn.to(probabilities.device());
    }

    public static Tensor multinomial(
            Tensor weights, RandomGenerator generator, int count, boolean replacement) {
        requireFractions("multinomial", weights);
        int rank = TensorAccess.dims(weights).length;
        int size = rank == 0 ? 0 : TensorAccess.dims(weights)[rank - 1];
        if (rank < 1 || rank > 2 || count < 1 || size < 1) {
            throw new IllegalArgumentException(
                    "multinomial: expected a vector or matrix with columns and at least 1 sample, got %s and %d samples"
                            .formatted(TensorAccess.describe(weights), count));
        }
        Tensor there =
                CurrentDevice.on(
                        weights.device(),
                        () -> DeviceSampling.multinomial(weights, generator, count, replacement));
        if (there != null) {
            return there;
        }
        double[] all = weights.toDoubleArray();
        int rows = all.length / size;
        long[] drawn = new long[Math.multiplyExact(rows, count)];
        for (int row = 0; row < rows; row++) {
            double[] own = Arrays.copyOfRange(all, row * size, (row + 1) * size);
            check(own, count, replacement);
            if (replacement) {
                again(own, generator, drawn, row * count, count);
            } else {
                once(own, generator, drawn, row * count, count);
            }
        }
        int[] shape = rank == 1 ? new int[] {count} : new int[] {rows, count};
        return Tensor.of(drawn, shape).to(weights.device());
    }

    private static void requireFractions(String name, Tensor x) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "%s expects probabilities of a floating point dtype, got %s"
                            .formatted(name, x.dtype()));
        }
    }

    private static void check(double[] weights, int count, boolean replacement) {
        int positive = 0;
        for (double weight : weights) {
            if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "probability tensor contains either `inf`, `nan` or element < 0: "
                                + weight);
            }
            positive += weight > 0 ? 1 : 0;
        }
        if (positive == 0) {
            throw new IllegalArgumentException(
                    "invalid multinomial distribution (sum of probabilities <= 0)");
        }
        if (!replacement && positive < count) {
            throw new IllegalArgumentException(
                    "multinomial without replacement draws at most one sample for each element that is not zero, but got %d samples of %d such elements"
                            .formatted(count, positive));
        }
    }

    private static void again(
            double[] weights, RandomGenerator generator, long[] drawn, int from, int count) {
        double largest = Arrays.stream(weights).max().orElse(1);
        double[] ends = Arrays.stream(weights).map(w -> w / largest).toArray(); // of a finite sum
        for (int i = 1; i < ends.length; i++) {
            ends[i] += ends[i - 1];
        }
        for (int i = 0; i < count; i++) {
            double at = generator.nextDouble() * ends[ends.length - 1];
            int low = 0; // the first element that ends above the number
            int high = ends.length - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (ends[middle] > at) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            drawn[from + i] = weights[low] > 0 ? low : lastPositive(weights, low);
        }
    }

    private static int lastPositive(double[] weights, int from) {
        int index = from;
        while (weights[index] <= 0) {
            index--;
        }
        return index;
    }

    /**
     * Draw the elements with the least waiting times, which are exponential with their rates;
     * logarithms keep those of the smallest weights finite.
     */
    private static void once(
            double[] weights, RandomGenerator generator, long[] drawn, int from, int count) {
        double[] times = new double[weights.length];
        for (int i = 0; i < times.length; i++) {
            times[i] =
                    weights[i] > 0
                            ? Math.log(generator.nextExponential()) - Math.log(weights[i])
                            : Double.POSITIVE_INFINITY;
        }
        long[] order = Tensor.of(times).argsort(0, false).toLongArray();
        System.arraycopy(order, 0, drawn, from, count);
    }
}
