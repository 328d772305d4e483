package org.gradwire.spi.device;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * An operand of a kernel: strided elements in the memory of a device, or one number that stands for
 * all elements.
 *
 * <p>The arrays are not copied and must not be changed.
 */
public final class Operand {
    private final ElementType type;
    private final @Nullable DeviceMemory memory;
    private final long offset;
    private final int[] sizes;
    private final int[] strides;
    private final double number;
    private final long integer;

    private Operand(
            ElementType type,
            @Nullable DeviceMemory memory,
            long offset,
            int[] sizes,
            int[] strides,
            double number,
            long integer) {
        this.type = type;
        this.memory = memory;
        this.offset = offset;
        this.sizes = sizes;
        this.strides = strides;
        this.number = number;
        this.integer = integer;
    }

    /**
     * Describe elements in memory.
     *
     * @param offset index of the first element
     * @param sizes extent of each dimension, none for a single element
     * @param strides elements from one index of a dimension to the next; 0 repeats the same ones
     */
    public static Operand of(
            DeviceMemory memory, ElementType type, long offset, int[] sizes, int[] strides) {
        return new Operand(type, memory, offset, sizes, strides, 0, 0);
    }

    /** Describe a number, for a floating-point type. */
    public static Operand number(ElementType type, double number) {
        return new Operand(type, null, 0, new int[0], new int[0], number, (long) number);
    }

    /** Describe an integer, or 0 or 1 for {@link ElementType#BOOL}. */
    public static Operand number(ElementType type, long number) {
        return new Operand(type, null, 0, new int[0], new int[0], number, number);
    }

    /** {@return the type of the elements, or of the number} */
    public ElementType type() {
        return type;
    }

    /** {@return whether this is a number, without memory} */
    public boolean isNumber() {
        return memory == null;
    }

    /** {@return the memory of the elements; not that of a number} */
    public DeviceMemory memory() {
        return Objects.requireNonNull(memory, "a number has no memory");
    }

    /** {@return the index of the first element in the memory} */
    public long offset() {
        return offset;
    }

    /** {@return the extent of each dimension} */
    public int[] sizes() {
        return sizes;
    }

    /** {@return the elements from one index of each dimension to the next} */
    public int[] strides() {
        return strides;
    }

    /** {@return the number} */
    public double number() {
        return number;
    }

    /** {@return the number, exact among the whole ones} */
    public long integer() {
        return integer;
    }

    /** {@return the number of elements; 1 for a number} */
    public long count() {
        long count = 1;
        for (int size : sizes) {
            count *= size;
        }
        return count;
    }
}
