package org.gradwire.spi.device;

/** The type of the elements of an {@link Operand}. */
public enum ElementType {
    /** A byte that is 0 or 1. */
    BOOL(1),
    INT32(4),
    INT64(8),
    /** IEEE 754 binary16. */
    FLOAT16(2),
    /** The upper half of a binary32. */
    BFLOAT16(2),
    FLOAT32(4),
    FLOAT64(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** {@return the size of one element} */
    public int bytes() {
        return bytes;
    }

    /** {@return whether elements have fractions} */
    public boolean isFloating() {
        return switch (this) {
            case BOOL, INT32, INT64 -> false;
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> true;
        };
    }
}
