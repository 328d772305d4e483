package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.Shapes;
import org.gradwire.tensor.storage.Storage;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/** Implementation of tensor factories and comparisons. */
public final class Factories {

    private Factories() {}

    public static Tensor arange(long start, long end, long step) {
        if (step == 0 || (step > 0 ? start > end : start < end)) {
            throw new IllegalArgumentException(
                    "upper bound and larger bound inconsistent with step sign: %d to %d by %d"
                            .formatted(start, end, step));
        }
        long length = (end - start + step - Long.signum(step)) / step;
        long[] numbers = new long[Shapes.count(Math.toIntExact(length))];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = start + i * step;
        }
        return Tensor.of(numbers);
    }

    public static Tensor arange(double start, double end, double step) {
        double length = Math.ceil((end - start) / step);
        if (!(length >= 0) || length > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "upper bound and larger bound inconsistent with step sign: %s to %s by %s"
                            .formatted(start, end, step));
        }
        float[] numbers = new float[(int) length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) (start + i * step);
        }
        return filled(DType.FLOAT32, numbers, numbers.length);
    }

    public static Tensor linspace(DType dtype, double start, double end, int steps) {
        if (steps < 0) {
            throw new IllegalArgumentException(
                    "number of steps must be non-negative, got " + steps);
        }
        double[] numbers = new double[steps];
        double step = steps < 2 ? 0 : (end - start) / (steps - 1);
        for (int i = 0; i < steps; i++) {
            boolean firstHalf = i < steps / 2 || steps == 1;
            numbers[i] = firstHalf ? start + step * i : end - step * (steps - 1 - i);
        }
        return Elementwise.cast(filled(DType.FLOAT64, numbers, steps), dtype);
    }

    /** Return numbers that are drawn sequentially, as float64, or as float32 for narrower types. */
    public static Tensor random(
            DType dtype, int[] shape, DoubleSupplier single, DoubleSupplier wide) {
        int count = Shapes.count(shape);
        return switch (dtype) {
            case FLOAT32 -> {
                float[] numbers = new float[count];
                for (int i = 0; i < count; i++) {
                    numbers[i] = (float) single.getAsDouble();
                }
                yield filled(dtype, numbers, shape);
            }
            case FLOAT64 -> {
                double[] numbers = new double[count];
                Arrays.setAll(numbers, _ -> wide.getAsDouble());
                yield filled(dtype, numbers, shape);
            }
            case FLOAT16, BFLOAT16 ->
                    Elementwise.cast(random(DType.FLOAT32, shape, single, wide), dtype);
            default ->
                    throw new IllegalArgumentException(
                            "random fractions are of a floating-point type, not " + dtype);
        };
    }

    public static Tensor permutation(RandomGenerator generator, int end) {
        long[] numbers = new long[Shapes.count(end)];
        for (int i = 0; i < end; i++) {
            int other = generator.nextInt(i + 1);
            numbers[i] = numbers[other];
            numbers[other] = i;
        }
        return filled(DType.INT64, numbers, end);
    }

    /** Return a number as a tensor on the host, which kernels of a device take as an argument. */
    static Tensor number(DType dtype, Number value) {
        return CurrentDevice.on(Device.CPU, () -> Tensor.scalar(dtype, value));
    }

    /** Return a tensor with the numbers of an array, which is not used afterwards. */
    public static <A> Tensor filled(DType dtype, A array, int... shape) {
        Tensor result = TensorAccess.fresh(dtype, shape.clone());
        StridedLoops.copy(
                DTypeAccess.elements(dtype),
                Strided.contiguous(array, 0, result.numel()),
                TensorAccess.strided(result));
        return result;
    }

    /** Return the tensor of nested arrays, which must be rectangular. */
    public static <A> Tensor nested(DType dtype, Object[] rows) {
        int[] shape = shape(rows);
        Elements<A> elements = DTypeAccess.elements(dtype);
        A all = elements.array(Shapes.count(shape));
        int length = copy(rows, shape, 0, all, 0);
        if (length != Shapes.count(shape)) {
            throw new AssertionError("lost elements of " + Arrays.toString(shape));
        }
        return TensorAccess.view(
                Storage.ofArray(dtype, all, length), 0, shape, Shapes.strides(shape));
    }

    /** {@return the elements of a bool tensor} */
    public static byte[] bytes(boolean[] values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = values[i] ? (byte) 1 : 0;
        }
        return bytes;
    }

    /** {@return the values of the elements of a bool tensor} */
    public static boolean[] booleans(byte[] bytes) {
        boolean[] values = new boolean[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            values[i] = bytes[i] != 0;
        }
        return values;
    }

    private static int[] shape(Object array) {
        int[] shape = new int[8];
        int dims = 0;
        for (Object level = array; level.getClass().isArray(); ) {
            shape[dims++] = Array.getLength(level);
            if (Array.getLength(level) == 0 || level.getClass().getComponentType().isPrimitive()) {
                break;
            }
            level = Array.get(level, 0);
        }
        return Arrays.copyOf(shape, dims);
    }

    private static int copy(Object from, int[] shape, int dim, Object to, int at) {
        int length = Array.getLength(from);
        if (length != shape[dim]) {
            throw new IllegalArgumentException(
                    "expected sequence of length %d at dim %d (got %d)"
                            .formatted(shape[dim], dim, length));
        }
        if (dim == shape.length - 1) {
            Object leaf = from instanceof boolean[] values ? bytes(values) : from;
            System.arraycopy(leaf, 0, to, at, length);
            return at + length;
        }
        int position = at;
        for (int i = 0; i < length; i++) {
            position = copy(Array.get(from, i), shape, dim + 1, to, position);
        }
        return position;
    }

    /** Return a tensor over an array, which is not copied. */
    static Tensor over(DType dtype, Object array, int[] shape) {
        int length = Array.getLength(array);
        return TensorAccess.view(
                Storage.ofArray(dtype, array, length), 0, shape, Shapes.strides(shape));
    }

    /** Return the elements in an array of their type, row-major; it may be the tensor's own. */
    static Object array(Tensor x) {
        boolean own =
                TensorAccess.isPlainArray(x)
                        && TensorAccess.offset(x) == 0
                        && TensorAccess.storage(x).length() == x.numel();
        return own
                ? TensorAccess.base(x)
                : StridedLoops.toArray(DTypeAccess.elements(x.dtype()), TensorAccess.strided(x));
    }

    public static boolean close(Tensor a, Tensor b, double relative, double absolute) {
        double[] left = a.toDoubleArray();
        double[] right = b.toDoubleArray();
        for (int i = 0; i < left.length; i++) {
            boolean same = left[i] == right[i];
            double most = absolute + relative * Math.abs(right[i]);
            if (!same && !(Math.abs(left[i] - right[i]) <= most)) {
                return false;
            }
        }
        return true;
    }
}
