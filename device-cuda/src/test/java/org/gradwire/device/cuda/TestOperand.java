package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** An operand on a device, whose elements the host knows as well. */
final class TestOperand {
    final Operand operand;
    private final @Nullable HostArray elements;

    private TestOperand(Operand operand, @Nullable HostArray elements) {
        this.operand = operand;
        this.elements = elements;
    }

    /** Copy elements to a device, and lay them out. */
    static TestOperand of(
            CudaDevice device, HostArray elements, int offset, int[] sizes, int... strides) {
        Operand operand =
                Operand.of(elements.copyTo(device), elements.type, offset, sizes, strides);
        return new TestOperand(operand, elements);
    }

    static TestOperand contiguous(CudaDevice device, HostArray elements) {
        return of(device, elements, 0, new int[] {elements.length}, 1);
    }

    static TestOperand number(ElementType type, double number) {
        return new TestOperand(Operand.number(type, number), null);
    }

    static TestOperand number(ElementType type, long number) {
        return new TestOperand(Operand.number(type, number), null);
    }

    /** {@return the i-th element in row-major order} */
    double at(int i) {
        return elements == null ? operand.number() : elements.get(position(i));
    }

    /** {@return the i-th element of integers} */
    long wholeAt(int i) {
        return elements == null ? operand.integer() : elements.getWhole(position(i));
    }

    /** {@return the place of the i-th element in its memory} */
    int position(int i) {
        return position(operand, i);
    }

    static int position(Operand operand, int i) {
        long at = operand.offset();
        int rest = i;
        for (int d = operand.sizes().length - 1; d >= 0; d--) {
            at += (long) (rest % operand.sizes()[d]) * operand.strides()[d];
            rest /= operand.sizes()[d];
        }
        return (int) at;
    }

    /** {@return the current elements of the memory} */
    HostArray read() {
        return HostArray.read((CudaMemory) operand.memory(), operand.type());
    }

    /** {@return the first elements of the memory} */
    HostArray before() {
        return Objects.requireNonNull(elements);
    }

    void release() {
        if (!operand.isNumber()) {
            operand.memory().release();
        }
    }
}
