package org.gradwire.spi.device;

/** The type of the elements of an {@link Operand}. */
public enum ElementType {
    /** A byte that is 0 or 1. */
    BOOL(0, 1),
    /** A signed integer of 32 bits. */
    INT32(1, 4),
    /** A signed integer of 64 bits. */
    INT64(2, 8),
    /** IEEE 754 binary16. */
    FLOAT16(3, 2),
    /** The upper half of a binary32. */
    BFLOAT16(4, 2),
    /** IEEE 754 binary32. */
    FLOAT32(5, 4),
    /** IEEE 754 binary64. */
    FLOAT64(6, 8);

    private final int code;
    private final int bytes;

    ElementType(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** {@return a number from 0 to 6 that identifies the type} */
    public int code() {
        return code;
    }

    /** {@return the size of one element} */
    public int bytes() {
        return bytes;
    }

    /** {@return whether this is a floating-point type} */
    public boolean isFloating() {
        return switch (this) {
            case BOOL, INT32, INT64 -> false;
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> true;
        };
    }
}
