package org.gradwire.device.virtual;

import org.gradwire.spi.ElementKind;
import org.gradwire.spi.device.DeviceKernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Kernels for matrix products and sums. They accumulate float32 in float64, unlike the host's, so
 * that tests can distinguish them.
 */
final class VirtualKernels implements DeviceKernels {

    /** An element of either type, as a number. */
    private enum Format {
        FLOAT {
            @Override
            double get(MemorySegment memory, long index) {
                return memory.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, index);
            }

            @Override
            void set(MemorySegment memory, long index, double value) {
                memory.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, index, (float) value);
            }
        },
        DOUBLE {
            @Override
            double get(MemorySegment memory, long index) {
                return memory.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, index);
            }

            @Override
            void set(MemorySegment memory, long index, double value) {
                memory.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, index, value);
            }
        };

        abstract double get(MemorySegment memory, long index);

        abstract void set(MemorySegment memory, long index, double value);
    }

    private static boolean isFloating(ElementKind kind) {
        return kind == ElementKind.FLOAT || kind == ElementKind.DOUBLE;
    }

    private static Format format(ElementKind kind) {
        return kind == ElementKind.FLOAT ? Format.FLOAT : Format.DOUBLE;
    }

    @Override
    public boolean multiply(
            int index, ElementKind kind, Matrix a, Matrix b, Matrix c, boolean accumulate) {
        if (!isFloating(kind)) {
            return false;
        }
        Format format = format(kind);
        for (int row = 0; row < c.rows(); row++) {
            for (int column = 0; column < c.columns(); column++) {
                double sum = accumulate ? get(format, c, row, column) : 0;
                for (int k = 0; k < a.columns(); k++) {
                    sum += get(format, a, row, k) * get(format, b, k, column);
                }
                format.set(c.memory(), position(c, row, column), sum);
            }
        }
        return true;
    }

    private static double get(Format format, Matrix matrix, int row, int column) {
        return format.get(matrix.memory(), position(matrix, row, column));
    }

    private static long position(Matrix matrix, int row, int column) {
        return matrix.offset() + row * matrix.rowStride() + column * matrix.columnStride();
    }

    @Override
    public boolean binary(int index, String function, ElementKind kind, Run a, Run b, Run to) {
        if (!function.equals("add") || !isFloating(kind)) {
            return false;
        }
        Format format = format(kind);
        for (int i = 0; i < to.count(); i++) {
            double sum =
                    format.get(a.memory(), a.offset() + i) + format.get(b.memory(), b.offset() + i);
            format.set(to.memory(), to.offset() + i, sum);
        }
        return true;
    }
}
