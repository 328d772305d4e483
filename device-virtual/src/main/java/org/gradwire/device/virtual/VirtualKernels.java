package org.gradwire.device.virtual;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;

/**
 * Kernels for matrix products and sums of two. They accumulate float32 in float64, unlike the
 * host's, so that tests can distinguish them.
 */
final class VirtualKernels implements DeviceKernels {

    @Override
    public boolean has(String name, ElementType type) {
        return (name.equals("matmul") || name.equals("add"))
                && (type == ElementType.FLOAT32 || type == ElementType.FLOAT64);
    }

    @Override
    public boolean run(String name, Operand result, List<Operand> inputs) {
        if (name.equals("add")) {
            add(result, inputs.get(0), inputs.get(1));
        } else {
            multiply(result, inputs.get(0), inputs.get(1), inputs.get(2).integer() == 1);
        }
        return true;
    }

    private static void add(Operand result, Operand a, Operand b) {
        var sums = Elements.of(result);
        var left = Elements.of(a);
        var right = Elements.of(b);
        for (int i = 0; i < result.count(); i++) {
            double sum = left.get(position(a, i)) + right.get(position(b, i));
            sums.set(position(result, i), sum);
        }
    }

    /** {@return the position in memory of the {@code i}th element in row-major order} */
    private static long position(Operand operand, int i) {
        long at = operand.offset();
        int rest = i;
        for (int d = operand.sizes().length - 1; d >= 0; d--) {
            at += (long) (rest % operand.sizes()[d]) * operand.strides()[d];
            rest /= operand.sizes()[d];
        }
        return at;
    }

    /**
     * Multiply in arrays, since access to a segment is slow in a JVM that uses many kinds of them.
     */
    private static void multiply(Operand c, Operand a, Operand b, boolean accumulate) {
        double[] left = array(a);
        double[] right = array(b);
        double[] sums = accumulate ? array(c) : new double[Math.toIntExact(c.count())];
        int rows = c.sizes()[1];
        int columns = c.sizes()[2];
        int inner = a.sizes()[2];
        for (int row = 0; row < c.sizes()[0] * rows; row++) {
            int batch = row / rows;
            for (int k = 0; k < inner; k++) {
                double factor = left[row * inner + k];
                int from = (batch * inner + k) * columns;
                for (int column = 0; column < columns; column++) {
                    sums[row * columns + column] += factor * right[from + column];
                }
            }
        }
        var results = Elements.of(c);
        for (int i = 0; i < sums.length; i++) {
            results.set(position(c, i), sums[i]);
        }
    }

    /** {@return the elements in row-major order} */
    private static double[] array(Operand operand) {
        var elements = Elements.of(operand);
        double[] array = new double[Math.toIntExact(operand.count())];
        for (int i = 0; i < array.length; i++) {
            array[i] = elements.get(position(operand, i));
        }
        return array;
    }

    /**
     * The elements of an operand.
     *
     * @param memory of the operand; null for a number
     * @param number the operand if it is a number
     */
    private record Elements(@Nullable MemorySegment memory, ElementType type, double number) {
        static Elements of(Operand operand) {
            return operand.isNumber()
                    ? new Elements(null, operand.type(), operand.number())
                    : new Elements(((VirtualMemory) operand.memory()).segment(), operand.type(), 0);
        }

        double get(long at) {
            if (memory == null) {
                return number;
            }
            return type == ElementType.FLOAT32
                    ? memory.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at)
                    : memory.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
        }

        void set(long at, double value) {
            MemorySegment target = Objects.requireNonNull(memory);
            if (type == ElementType.FLOAT32) {
                target.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at, (float) value);
            } else {
                target.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, value);
            }
        }
    }
}
