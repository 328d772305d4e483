package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.ElementType;

/** Kernels of float16: 5 bits of exponent and 10 of significand (IEEE 754 binary16). */
public final class Float16Elements extends ReducedElements {

    public Float16Elements(Elements<float[]> floats) {
        super(floats);
    }

    @Override
    public ElementType type() {
        return ElementType.FLOAT16;
    }

    @Override
    float widen(short bits) {
        return Float.float16ToFloat(bits);
    }

    @Override
    short round(float value) {
        return Float.floatToFloat16(value);
    }
}
