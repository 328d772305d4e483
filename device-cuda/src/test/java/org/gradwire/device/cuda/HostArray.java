package org.gradwire.device.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import org.gradwire.spi.device.ElementType;

import java.lang.foreign.MemorySegment;

/** Elements of a type on the host, for comparison with those of a device. */
final class HostArray {
    final ElementType type;
    final int length;
    private final MemorySegment memory;

    HostArray(ElementType type, int length) {
        this.type = type;
        this.length = length;
        this.memory = MemorySegment.ofArray(new byte[length * type.bytes()]);
    }

    static HostArray of(ElementType type, double... numbers) {
        var array = new HostArray(type, numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            array.set(i, numbers[i]);
        }
        return array;
    }

    static HostArray of(ElementType type, long... numbers) {
        var array = new HostArray(type, numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            array.setWhole(i, numbers[i]);
        }
        return array;
    }

    static HostArray read(CudaMemory memory, ElementType type) {
        var array = new HostArray(type, (int) (memory.bytes() / type.bytes()));
        memory.copyToHost(0, array.memory);
        return array;
    }

    CudaMemory copyTo(CudaDevice device) {
        var copy = new CudaMemory(device, memory.byteSize());
        copy.copyFromHost(memory, 0);
        return copy;
    }

    /** {@return an element} */
    double get(int i) {
        return switch (type) {
            case BOOL -> memory.get(JAVA_BYTE, i);
            case INT32 -> memory.getAtIndex(JAVA_INT_UNALIGNED, i);
            case INT64 -> memory.getAtIndex(JAVA_LONG_UNALIGNED, i);
            case FLOAT16 -> Float.float16ToFloat(memory.getAtIndex(JAVA_SHORT_UNALIGNED, i));
            case BFLOAT16 -> Float.intBitsToFloat(memory.getAtIndex(JAVA_SHORT_UNALIGNED, i) << 16);
            case FLOAT32 -> memory.getAtIndex(JAVA_FLOAT_UNALIGNED, i);
            case FLOAT64 -> memory.getAtIndex(JAVA_DOUBLE_UNALIGNED, i);
        };
    }

    /** {@return an element of integers} */
    long getWhole(int i) {
        return type == ElementType.INT64
                ? memory.getAtIndex(JAVA_LONG_UNALIGNED, i)
                : (long) get(i);
    }

    /** Set an element, converted as Java's casts do; 16 bits by way of a float. */
    void set(int i, double number) {
        switch (type) {
            case BOOL -> memory.set(JAVA_BYTE, i, (byte) (number != 0 ? 1 : 0));
            case INT32 -> memory.setAtIndex(JAVA_INT_UNALIGNED, i, (int) number);
            case INT64 -> memory.setAtIndex(JAVA_LONG_UNALIGNED, i, (long) number);
            case FLOAT16 ->
                    memory.setAtIndex(
                            JAVA_SHORT_UNALIGNED, i, Float.floatToFloat16((float) number));
            case BFLOAT16 -> memory.setAtIndex(JAVA_SHORT_UNALIGNED, i, bfloat((float) number));
            case FLOAT32 -> memory.setAtIndex(JAVA_FLOAT_UNALIGNED, i, (float) number);
            case FLOAT64 -> memory.setAtIndex(JAVA_DOUBLE_UNALIGNED, i, number);
        }
    }

    /** Set an element, converted as Java's casts do. */
    void setWhole(int i, long number) {
        switch (type) {
            case INT32 -> memory.setAtIndex(JAVA_INT_UNALIGNED, i, (int) number);
            case INT64 -> memory.setAtIndex(JAVA_LONG_UNALIGNED, i, number);
            case FLOAT16, BFLOAT16, FLOAT32 -> set(i, (float) number);
            case BOOL, FLOAT64 -> set(i, (double) number);
        }
    }

    /** {@return the upper half of a float, rounded to nearest, ties to even} */
    private static short bfloat(float number) {
        int bits = Float.floatToRawIntBits(number);
        int upper = bits >>> 16;
        return (short) (Float.isNaN(number) ? upper | 0x40 : (bits + 0x7fff + (upper & 1)) >>> 16);
    }
}
