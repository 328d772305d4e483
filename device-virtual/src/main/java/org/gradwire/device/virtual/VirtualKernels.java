package org.gradwire.device.virtual;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

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
        for (int i = 0; i < result.count(); i++) {
            set(result, get(a, index(a, i)) + get(b, index(b, i)), index(result, i));
        }
    }

    /** {@return the index in each dimension of the {@code i}th element in row-major order} */
    private static int[] index(Operand operand, int i) {
        int[] index = new int[operand.sizes().length];
        int rest = i;
        for (int d = index.length - 1; d >= 0; d--) {
            index[d] = rest % operand.sizes()[d];
            rest /= operand.sizes()[d];
        }
        return index;
    }

    private static void multiply(Operand c, Operand a, Operand b, boolean accumulate) {
        for (int batch = 0; batch < c.sizes()[0]; batch++) {
            for (int row = 0; row < c.sizes()[1]; row++) {
                for (int column = 0; column < c.sizes()[2]; column++) {
                    double sum = accumulate ? get(c, batch, row, column) : 0;
                    for (int k = 0; k < a.sizes()[2]; k++) {
                        sum += get(a, batch, row, k) * get(b, batch, k, column);
                    }
                    set(c, sum, batch, row, column);
                }
            }
        }
    }

    private static double get(Operand operand, int... index) {
        if (operand.isNumber()) {
            return operand.number();
        }
        MemorySegment memory = memory(operand);
        long at = position(operand, index);
        return operand.type() == ElementType.FLOAT32
                ? memory.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at)
                : memory.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
    }

    private static void set(Operand operand, double value, int... index) {
        MemorySegment memory = memory(operand);
        long at = position(operand, index);
        if (operand.type() == ElementType.FLOAT32) {
            memory.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at, (float) value);
        } else {
            memory.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, value);
        }
    }

    private static MemorySegment memory(Operand operand) {
        return ((VirtualMemory) operand.memory()).segment();
    }

    private static long position(Operand operand, int... index) {
        long at = operand.offset();
        for (int d = 0; d < index.length; d++) {
            at += (long) index[d] * operand.strides()[d];
        }
        return at;
    }
}
