package org.gradwire.tensor.operator.sample;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/** Generator of sample inputs: deterministic pseudo-random float64 numbers. */
public final class Sampler {
    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;

    private long state = 42;

    /** {@return numbers between -1 and 1 that require a gradient} */
    public Tensor tensor(int... shape) {
        return between(-1, 1, shape);
    }

    /** {@return numbers between 0.5 and 2 that require a gradient} */
    public Tensor positive(int... shape) {
        return between(0.5, 2, shape);
    }

    private Tensor between(double low, double high, int[] shape) {
        double[] numbers = new double[Shapes.count(shape)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = low + (high - low) * unit();
        }
        return Tensor.of(numbers, shape).requiresGrad(true);
    }

    private double unit() {
        state = state * MULTIPLIER + INCREMENT;
        return (state >>> 40) / (double) (1 << 24);
    }

    /** {@return integers between -3 and 3, of int64} */
    public Tensor longs(int... shape) {
        long[] numbers = new long[Shapes.count(shape)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (long) Math.floor(7 * unit()) - 3;
        }
        return Tensor.of(numbers, shape);
    }

    /** {@return integers between -3 and 3, of int32} */
    public Tensor ints(int... shape) {
        return longs(shape).to(DType.INT32);
    }

    /** {@return about as many true as false} */
    public Tensor bools(int... shape) {
        return longs(shape).ge(0);
    }

    /** {@return a transposed, non-contiguous matrix} */
    public Tensor transposed(int rows, int columns) {
        return TensorAccess.transposed(tensor(columns, rows).detach()).requiresGrad(true);
    }

    /** {@return a sparse tensor with such numbers at some indices} */
    public Tensor sparse(long[][] indices, int... shape) {
        int[] values = SparseTensors.valueShape(indices[0].length, shape, indices.length);
        return Tensor.sparseCoo(Tensor.of(indices), constant(values), shape).requiresGrad(true);
    }

    /** {@return a coalesced one} */
    public Tensor coalesced(long[][] indices, int... shape) {
        return sparse(indices, shape).detach().coalesce().requiresGrad(true);
    }

    /** {@return the same numbers as a tensor that requires no gradient} */
    public Tensor constant(int... shape) {
        return tensor(shape).requiresGrad(false);
    }

    /** {@return arguments} */
    public static @Nullable Object[] args(@Nullable Object... values) {
        return values;
    }

    /** {@return the samples of two kinds} */
    public static Samples both(Samples first, Samples second) {
        return sampler ->
                Stream.of(first, second).flatMap(each -> each.of(sampler).stream()).toList();
    }

    /** {@return a list of arguments} */
    public static List<@Nullable Object[]> samples(@Nullable Object[]... all) {
        return List.of(all);
    }
}
