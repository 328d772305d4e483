package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.ElementType;

/** Kernels of bfloat16: the upper half of a float32, 8 bits of exponent and 7 of significand. */
public final class BFloat16Elements extends ReducedElements {
    private static final int LOWER_HALF = 0x7fff;
    private static final int QUIET = 0x40;

    public BFloat16Elements(Elements<float[]> floats) {
        super(floats);
    }

    @Override
    public ElementType type() {
        return ElementType.BFLOAT16;
    }

    @Override
    float widen(short bits) {
        return Float.intBitsToFloat(bits << Short.SIZE);
    }

    /** Ties go to even; a NaN stays one, whichever of its bits are cut off. */
    @Override
    short round(float value) {
        int bits = Float.floatToRawIntBits(value);
        int upper = bits >>> Short.SIZE;
        return Float.isNaN(value)
                ? (short) (upper | QUIET)
                : (short) ((bits + LOWER_HALF + (upper & 1)) >>> Short.SIZE);
    }
}
