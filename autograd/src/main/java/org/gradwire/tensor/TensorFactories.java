package org.gradwire.tensor;

import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Promotion;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.Factories;
import org.gradwire.tensor.rule.ForeignMemory;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.Shapes;
import org.gradwire.tensor.storage.Storage;

import java.lang.foreign.MemorySegment;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/**
 * Factory methods of {@link Tensor}, inherited by it: {@code Tensor.zeros(2, 3)}.
 *
 * <p>Unless a type is given, numbers are float32, whole ones int64. {@code of} and {@code copyOf}
 * copy their arguments; {@code wrap} makes a tensor over the same memory.
 */
public abstract sealed class TensorFactories permits Tensor {

    TensorFactories() {}

    /** Return a tensor of zeros. */
    public static Tensor zeros(int... shape) {
        return zeros(DType.FLOAT32, shape);
    }

    /** Return a tensor of zeros. */
    public static Tensor zeros(DType dtype, int... shape) {
        int[] dims = shape.clone();
        return Tensor.over(Storage.allocate(dtype, Shapes.count(dims), true), dims);
    }

    /** Return a tensor of zeros on a device. */
    public static Tensor zeros(DType dtype, Device device, int... shape) {
        return CurrentDevice.on(device, () -> zeros(dtype, shape));
    }

    /** Return a tensor of zeros; a sparse one holds no elements. */
    public static Tensor zeros(Layout layout, DType dtype, int... shape) {
        return layout == Layout.STRIDED
                ? zeros(dtype, shape)
                : SparseTensors.empty(dtype, shape.clone(), shape.length);
    }

    /**
     * Return a sparse COO tensor with the given elements. It shares the memory of the indices and
     * values; gradients flow to the values. Values at the same indices count as their sum.
     *
     * {@snippet :
     * Tensor indices = Tensor.of(new long[][] {{0, 1, 1}, {2, 0, 2}});
     * Tensor x = Tensor.sparseCoo(indices, Tensor.of(3f, 4f, 5f), 2, 3);
     * System.out.println(x.toDense()); // tensor([[0., 0., 3.],
     *                                  //         [4., 0., 5.]])
     * }
     *
     * @param indices int64 {@code [s, n]}: each column the index of a value in the first {@code s}
     *     dimensions
     * @param values {@code [n, ...]}: the values; further dimensions are the tensor's last ones,
     *     and dense
     * @throws IllegalArgumentException when an index is out of range, or the shapes do not fit
     */
    public static Tensor sparseCoo(Tensor indices, Tensor values, int... shape) {
        return Ops.sparseCoo(indices, values, shape);
    }

    /**
     * As {@link #sparseCoo(Tensor, Tensor, int...)}, of the smallest shape that has the indices.
     */
    public static Tensor sparseCoo(Tensor indices, Tensor values) {
        return Ops.sparseCoo(indices, values, SparseTensors.smallestShape(indices, values));
    }

    /**
     * As {@link #sparseCoo(Tensor, Tensor, int...)}, without history, of indices that may be known
     * to ascend.
     *
     * @param coalesced whether the columns of indices ascend and none comes twice, which is not
     *     checked
     */
    public static Tensor sparseCoo(Tensor indices, Tensor values, boolean coalesced, int... shape) {
        return SparseTensors.sparseCoo(indices, values, coalesced, shape);
    }

    /** Return a tensor of ones. */
    public static Tensor ones(int... shape) {
        return ones(DType.FLOAT32, shape);
    }

    /** Return a tensor of ones. */
    public static Tensor ones(DType dtype, int... shape) {
        return full(dtype, 1, shape);
    }

    /** Return a tensor of ones on a device. */
    public static Tensor ones(DType dtype, Device device, int... shape) {
        return full(dtype, device, 1, shape);
    }

    /** Return a tensor of one value: int64 for an integer, else float32. */
    public static Tensor full(Number value, int... shape) {
        return full(DType.of(value), value, shape);
    }

    /**
     * Return a tensor of one value.
     *
     * @param value for bool, nonzero is true; for integers, the fraction is truncated
     * @throws IllegalArgumentException when it is out of the range of an integer type
     */
    public static Tensor full(DType dtype, Number value, int... shape) {
        Promotion.checkFits(dtype, value);
        Tensor result = Tensor.fresh(dtype, shape.clone());
        fill(dtype.elements(), result, value);
        return result;
    }

    private static <A> void fill(Elements<A> elements, Tensor fresh, Number value) {
        if (fresh.isPlainArray()) {
            elements.fill(elements.cast(fresh.base()), 0, fresh.numel(), value);
        } else {
            StridedLoops.fill(elements, value, fresh.strided());
        }
    }

    /** Return a tensor of one value on a device; as {@link #full(DType, Number, int...)}. */
    public static Tensor full(DType dtype, Device device, Number value, int... shape) {
        return CurrentDevice.on(device, () -> full(dtype, value, shape));
    }

    /** Return a tensor without dimensions: int64 for an integer, else float32. */
    public static Tensor scalar(Number value) {
        return full(value);
    }

    /** Return a bool tensor without dimensions. */
    public static Tensor scalar(boolean value) {
        return full(DType.BOOL, value ? 1 : 0);
    }

    /** Return a tensor without dimensions. */
    public static Tensor scalar(DType dtype, Number value) {
        return full(dtype, value);
    }

    /** Return the int64 numbers from 0 up to an end that is not included. */
    public static Tensor arange(long end) {
        return arange(0, end, 1);
    }

    /** Return the int64 numbers from a start up to an end that is not included. */
    public static Tensor arange(long start, long end, long step) {
        return Factories.arange(start, end, step);
    }

    /** Return a vector of float32; the numbers are copied. */
    public static Tensor of(float... numbers) {
        return of(numbers.clone(), new int[] {numbers.length}, DType.FLOAT32);
    }

    /** Return a vector of float64; the numbers are copied. */
    public static Tensor of(double... numbers) {
        return of(numbers.clone(), new int[] {numbers.length}, DType.FLOAT64);
    }

    /** Return a vector of int64; the numbers are copied. */
    public static Tensor of(long... numbers) {
        return of(numbers.clone(), new int[] {numbers.length}, DType.INT64);
    }

    /**
     * Return a vector of int32; the numbers are copied. Numbers that are not in an array, {@code
     * Tensor.of(1, 2)}, make a tensor of int64, as in PyTorch.
     */
    public static Tensor of(int[] numbers) {
        return of(numbers.clone(), new int[] {numbers.length}, DType.INT32);
    }

    /** Return a vector of bool; the values are copied. */
    public static Tensor of(boolean... values) {
        return of(values, values.length);
    }

    /** Return a matrix of float32; the numbers are copied. */
    public static Tensor of(float[][] rows) {
        return Factories.nested(DType.FLOAT32, rows);
    }

    /** Return a matrix of float64; the numbers are copied. */
    public static Tensor of(double[][] rows) {
        return Factories.nested(DType.FLOAT64, rows);
    }

    /** Return a matrix of int64; the numbers are copied. */
    public static Tensor of(long[][] rows) {
        return Factories.nested(DType.INT64, rows);
    }

    /** Return a matrix of int32; the numbers are copied. */
    public static Tensor of(int[][] rows) {
        return Factories.nested(DType.INT32, rows);
    }

    /** Return a matrix of bool; the values are copied. */
    public static Tensor of(boolean[][] rows) {
        return Factories.nested(DType.BOOL, rows);
    }

    /** Return a tensor of three dimensions of float32; the numbers are copied. */
    public static Tensor of(float[][][] blocks) {
        return Factories.nested(DType.FLOAT32, blocks);
    }

    /** Return a tensor of three dimensions of float64; the numbers are copied. */
    public static Tensor of(double[][][] blocks) {
        return Factories.nested(DType.FLOAT64, blocks);
    }

    /** Return a tensor of float32 with these numbers in row-major order; they are copied. */
    public static Tensor of(float[] numbers, int... shape) {
        return of(numbers.clone(), shape.clone(), DType.FLOAT32);
    }

    /** Return a tensor of float64 with these numbers in row-major order; they are copied. */
    public static Tensor of(double[] numbers, int... shape) {
        return of(numbers.clone(), shape.clone(), DType.FLOAT64);
    }

    /** Return a tensor of int64 with these numbers in row-major order; they are copied. */
    public static Tensor of(long[] numbers, int... shape) {
        return of(numbers.clone(), shape.clone(), DType.INT64);
    }

    /** Return a tensor of int32 with these numbers in row-major order; they are copied. */
    public static Tensor of(int[] numbers, int... shape) {
        return of(numbers.clone(), shape.clone(), DType.INT32);
    }

    /** Return a tensor of bool with these values in row-major order; they are copied. */
    public static Tensor of(boolean[] values, int... shape) {
        return of(Factories.bytes(values), shape.clone(), DType.BOOL);
    }

    private static Tensor of(Object array, int[] shape, DType dtype) {
        int length = java.lang.reflect.Array.getLength(array);
        if (Shapes.count(shape) != length) {
            throw new IllegalArgumentException(
                    "shape '%s' is invalid for input of size %d"
                            .formatted(Arrays.toString(shape), length));
        }
        return Tensor.over(Storage.ofArray(dtype, array, length), shape);
    }

    /** Return uniformly distributed float32 numbers from 0 to 1. */
    public static Tensor rand(RandomGenerator generator, int... shape) {
        return rand(generator, DType.FLOAT32, shape);
    }

    /** Return uniformly distributed floating-point numbers from 0 to 1. */
    public static Tensor rand(RandomGenerator generator, DType dtype, int... shape) {
        return dtype.isReduced()
                ? zeros(dtype, shape).uniform_(generator, 0, 1)
                : Factories.random(dtype, shape, generator::nextFloat, generator::nextDouble);
    }

    /** Return normally distributed float32 numbers, drawn from a generator. */
    public static Tensor randn(RandomGenerator generator, int... shape) {
        return randn(generator, DType.FLOAT32, shape);
    }

    /** Return normally distributed numbers of a floating-point type, drawn from a generator. */
    public static Tensor randn(RandomGenerator generator, DType dtype, int... shape) {
        DoubleSupplier draw = generator::nextGaussian;
        return Factories.random(dtype, shape, draw, draw);
    }

    /** Return normally distributed float32 numbers of a mean and a standard deviation. */
    public static Tensor normal(RandomGenerator generator, double mean, double std, int... shape) {
        if (!(std >= 0)) {
            throw new IllegalArgumentException("normal expects std >= 0.0, but found std " + std);
        }
        DoubleSupplier draw = () -> generator.nextGaussian(mean, std);
        return Factories.random(DType.FLOAT32, shape, draw, draw);
    }

    /** Return int64 numbers from {@code low} up to {@code high}, which is not included. */
    public static Tensor randint(RandomGenerator generator, long low, long high, int... shape) {
        if (low >= high) {
            throw new IllegalArgumentException(
                    "random_ expects 'from' to be less than 'to', but got from=%d >= to=%d"
                            .formatted(low, high));
        }
        long[] numbers = new long[Shapes.count(shape)];
        Arrays.setAll(numbers, _ -> generator.nextLong(low, high));
        return Factories.filled(DType.INT64, numbers, shape);
    }

    /** Return the int64 numbers from 0 up to an end that is not included, in a random order. */
    public static Tensor randperm(RandomGenerator generator, int end) {
        return Factories.permutation(generator, end);
    }

    /** Return uniformly distributed numbers from 0 to 1, of another tensor's shape and type. */
    public static Tensor randLike(RandomGenerator generator, Tensor other) {
        return zerosLike(other).uniform_(generator, 0, 1);
    }

    /** Return normally distributed numbers, of another tensor's shape and type. */
    public static Tensor randnLike(RandomGenerator generator, Tensor other) {
        return zerosLike(other).normal_(generator, 0, 1);
    }

    /** Return zeros of the shape, type and layout of another tensor, on its device. */
    public static Tensor zerosLike(Tensor other) {
        return CurrentDevice.on(
                other.device(), () -> zeros(other.layout(), other.dtype(), other.dims));
    }

    /**
     * Return ones of the shape and type of another tensor, on its device.
     *
     * @throws IllegalArgumentException when that is sparse
     */
    public static Tensor onesLike(Tensor other) {
        requireDense(other, "onesLike");
        return ones(other.dtype(), other.device(), other.dims);
    }

    /**
     * Return a tensor of one value, of the shape and type of another tensor, on its device.
     *
     * @throws IllegalArgumentException when that is sparse
     */
    public static Tensor fullLike(Tensor other, Number value) {
        requireDense(other, "fullLike");
        return full(other.dtype(), other.device(), value, other.dims);
    }

    private static void requireDense(Tensor other, String name) {
        if (other.isSparse()) {
            throw new IllegalArgumentException(
                    name + " is not implemented for sparse tensors; call toDense()");
        }
    }

    /** Return a float32 tensor with uninitialized elements. */
    public static Tensor empty(int... shape) {
        return empty(DType.FLOAT32, shape);
    }

    /** Return a tensor with uninitialized elements. */
    public static Tensor empty(DType dtype, int... shape) {
        return Tensor.fresh(dtype, shape.clone());
    }

    /** As {@link #empty}, of the shape, type and layout of another tensor, on its device. */
    public static Tensor emptyLike(Tensor other) {
        return other.isSparse()
                ? zerosLike(other)
                : CurrentDevice.on(other.device(), () -> empty(other.dtype(), other.dims));
    }

    /** Return a float32 matrix with ones on the diagonal. */
    public static Tensor eye(int size) {
        return eye(DType.FLOAT32, size, size);
    }

    /** Return a matrix with ones on the diagonal. */
    public static Tensor eye(DType dtype, int rows, int columns) {
        if (rows < 0 || columns < 0) {
            throw new IllegalArgumentException(
                    "n must be greater or equal to 0, got " + Math.min(rows, columns));
        }
        Tensor result = zeros(dtype, rows, columns);
        Elementwise.fill(Ops.diagonal(result, 0, 0, 1), 1);
        return result;
    }

    /** Return float32 numbers at even distances, both ends included. */
    public static Tensor linspace(double start, double end, int steps) {
        return linspace(DType.FLOAT32, start, end, steps);
    }

    /** Return numbers at even distances, both ends included. */
    public static Tensor linspace(DType dtype, double start, double end, int steps) {
        return Factories.linspace(dtype, start, end, steps);
    }

    /** Return the float32 powers of ten at even distances of the exponent, both ends included. */
    public static Tensor logspace(double start, double end, int steps) {
        double[] numbers = Factories.linspace(DType.FLOAT64, start, end, steps).toDoubleArray();
        Arrays.setAll(numbers, i -> Math.pow(10, numbers[i]));
        return Elementwise.cast(of(numbers), DType.FLOAT32);
    }

    /** Return float32 numbers from a start up to an end that is not included. */
    public static Tensor arange(double start, double end, double step) {
        return Factories.arange(start, end, step);
    }

    // ---- Over existing memory.

    /**
     * Return a tensor over a segment itself; nothing is copied, and writes to either are visible in
     * the other. Backward passes that saved the tensor do not detect writes to the segment.
     *
     * <p>A native segment must stay alive for as long as the tensor is used: after its arena was
     * closed, every use fails with an {@link IllegalStateException}. The segments of a confined
     * arena can be used by its thread only.
     *
     * @param segment native, or over an array of the type; aligned to the elements
     * @param shape none for a vector
     * @throws IllegalArgumentException when the segment is something else, or of another size
     * @see #copyOf(DType, MemorySegment, int...)
     */
    public static Tensor wrap(DType dtype, MemorySegment segment, int... shape) {
        return ForeignMemory.wrap(dtype, segment, shape);
    }

    /**
     * Return a float32 tensor over the memory of a buffer, from its position to its limit; see
     * {@link #wrap(DType, MemorySegment, int...)}.
     *
     * @param buffer of the byte order of this machine; made of an array or direct, not read-only
     * @param shape none for a vector
     */
    public static Tensor wrap(FloatBuffer buffer, int... shape) {
        return ForeignMemory.wrap(DType.FLOAT32, buffer, buffer.order(), shape);
    }

    /** As {@link #wrap(FloatBuffer, int...)}, of float64. */
    public static Tensor wrap(DoubleBuffer buffer, int... shape) {
        return ForeignMemory.wrap(DType.FLOAT64, buffer, buffer.order(), shape);
    }

    /** As {@link #wrap(FloatBuffer, int...)}, of int64. */
    public static Tensor wrap(LongBuffer buffer, int... shape) {
        return ForeignMemory.wrap(DType.INT64, buffer, buffer.order(), shape);
    }

    /**
     * Return a tensor with a copy of the elements in a segment, of any kind and alignment, in the
     * byte order of this machine. The segment is not needed afterwards.
     *
     * @param shape none for a vector
     * @throws IllegalArgumentException when the segment is of another size
     * @see #wrap(DType, MemorySegment, int...)
     */
    public static Tensor copyOf(DType dtype, MemorySegment segment, int... shape) {
        return ForeignMemory.copyOf(dtype, segment, shape);
    }

    /**
     * Return a float32 tensor with a copy of a buffer's elements from its position to its limit;
     * the position stays.
     *
     * @param shape none for a vector
     */
    public static Tensor copyOf(FloatBuffer buffer, int... shape) {
        float[] numbers = new float[buffer.remaining()];
        buffer.get(buffer.position(), numbers);
        return wrap(FloatBuffer.wrap(numbers), shape);
    }

    /** As {@link #copyOf(FloatBuffer, int...)}, of float64. */
    public static Tensor copyOf(DoubleBuffer buffer, int... shape) {
        double[] numbers = new double[buffer.remaining()];
        buffer.get(buffer.position(), numbers);
        return wrap(DoubleBuffer.wrap(numbers), shape);
    }

    /** As {@link #copyOf(FloatBuffer, int...)}, of int64. */
    public static Tensor copyOf(LongBuffer buffer, int... shape) {
        long[] numbers = new long[buffer.remaining()];
        buffer.get(buffer.position(), numbers);
        return wrap(LongBuffer.wrap(numbers), shape);
    }
}
