package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.lang.foreign.MemorySegment;

/** The launch of a kernel in a stream, whose arguments are added one by one; locks the stream. */
final class Launch {
    private final CudaStream stream;
    private final LaunchBuffer arguments;

    Launch(CudaStream stream) {
        this.stream = stream;
        this.arguments = stream.launches().begin();
    }

    /** {@return whether an operand's layout fits a kernel} */
    static boolean fits(Operand operand) {
        return operand.sizes().length <= KernelSource.DIMENSIONS;
    }

    /** {@return whether an operand's elements follow each other} */
    static boolean isContiguous(Operand operand) {
        int[] sizes = operand.sizes();
        return sizes.length == 0
                || (sizes.length == 1 && (operand.strides()[0] == 1 || sizes[0] == 1));
    }

    /** {@return whether all elements are one} */
    static boolean isSingle(Operand operand) {
        int[] sizes = operand.sizes();
        return sizes.length == 0
                || (sizes.length == 1 && (operand.strides()[0] == 0 || sizes[0] == 1));
    }

    /** {@return the address of an operand's first element, for work of a stream} */
    static long address(Operand operand, CudaStream stream) {
        return ((CudaMemory) operand.memory()).use(stream)
                + operand.offset() * operand.type().bytes();
    }

    Launch address(Operand operand) {
        arguments.addLong(address(operand, stream));
        return this;
    }

    Launch layout(Operand operand) {
        arguments.addInts(
                KernelSource.LAYOUT_BYTES,
                operand.sizes().length,
                operand.sizes(),
                KernelSource.STRIDES,
                operand.strides());
        return this;
    }

    Launch number(Operand operand) {
        ElementType type = operand.type();
        if (type.isFloating()) {
            arguments.addDouble(operand.number());
        } else {
            arguments.addLong(operand.integer());
        }
        return this;
    }

    Launch integer(long value) {
        arguments.addLong(value);
        return this;
    }

    void run(MemorySegment kernel, int blocksX, int blocksY, int threadsX, int threadsY) {
        stream.device.enter();
        DriverQueue.launch(
                kernel,
                blocksX,
                blocksY,
                threadsX,
                threadsY,
                stream.handle(),
                arguments.pointers());
    }
}
