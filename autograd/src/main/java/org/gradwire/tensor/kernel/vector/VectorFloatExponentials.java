package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Exponential functions of float32. They use only operations that IEEE 754 rounds, so that the
 * results are the same interpreted and compiled; those of the Vector API are not.
 */
final class VectorFloatExponentials {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

    /** {@code exp} rounds to zero below the least argument, to infinity above the largest. */
    private static final float LEAST = -104;

    private static final float LARGEST = 89;

    /** The exponential functions of smaller magnitudes are normal numbers. */
    private static final float NORMAL = 87;

    /** {@code expm1} rounds to -1 below this argument. */
    private static final float LEAST_MINUS_ONE = -25;

    /** {@code tanh} rounds to 1 above this argument. */
    private static final float LARGEST_TANH = 10;

    /** {@code expm1} rounds to its argument below this one. */
    private static final float TINY = 0x1p-25f;

    private static final float LOG2_E = 1.442695f;

    /**
     * The natural logarithm of two is the sum of these; few bits in the first, for exact products.
     */
    private static final float LN_2_HIGH = 0.69311523f;

    private static final float LN_2_LOW = 3.1946183e-05f;

    /** Adding it rounds to an integer, in the low bits of the sum. */
    private static final float INTEGERS = 0x1.8p23f;

    private static final int INTEGER_BITS = 0x4B400000;
    private static final int BIAS = 127;
    private static final int MANTISSA_BITS = 23;

    private VectorFloatExponentials() {}

    static FloatVector exp(FloatVector v) {
        if (!v.abs().compare(VectorOperators.LT, NORMAL).allTrue()) {
            return scaled(clamp(v, LEAST, LARGEST));
        }
        FloatVector shifted = v.fma(all(LOG2_E), all(INTEGERS));
        FloatVector power = fraction(rest(v, shifted.sub(INTEGERS))).add(1);
        IntVector exponent =
                shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS);
        return power.reinterpretAsInts().add(exponent).reinterpretAsFloats();
    }

    /** {@return an exponential function that may be subnormal, infinite or NaN} */
    private static FloatVector scaled(FloatVector x) {
        FloatVector shifted = x.fma(all(LOG2_E), all(INTEGERS));
        FloatVector power = fraction(rest(x, shifted.sub(INTEGERS))).add(1);
        IntVector exponent = shifted.reinterpretAsInts().sub(INTEGER_BITS);
        IntVector half = exponent.lanewise(VectorOperators.ASHR, 1);
        return power.mul(powerOfTwo(half)).mul(powerOfTwo(exponent.sub(half)));
    }

    static FloatVector expm1(FloatVector v) {
        FloatVector y = expm1Of(clamp(v, LEAST_MINUS_ONE, LARGEST));
        return y.blend(v, v.abs().compare(VectorOperators.LT, TINY));
    }

    /** {@code tanh(x) = expm1(2x) / (expm1(2x) + 2)}, of magnitudes. */
    static FloatVector tanh(FloatVector v) {
        FloatVector x = v.abs();
        FloatVector limited = x.blend(LARGEST_TANH, x.compare(VectorOperators.GT, LARGEST_TANH));
        FloatVector power = expm1Of(limited.add(limited));
        IntVector sign = v.reinterpretAsInts().lanewise(VectorOperators.AND, Integer.MIN_VALUE);
        return power.div(power.add(2))
                .reinterpretAsInts()
                .lanewise(VectorOperators.OR, sign)
                .reinterpretAsFloats();
    }

    private static FloatVector expm1Of(FloatVector x) {
        FloatVector shifted = x.fma(all(LOG2_E), all(INTEGERS));
        FloatVector fraction = fraction(rest(x, shifted.sub(INTEGERS)));
        FloatVector half = powerOfTwo(shifted.reinterpretAsInts().sub(INTEGER_BITS + 1));
        FloatVector y = fraction.fma(half, half.sub(0.5f));
        return y.add(y);
    }

    /** Limit to a range; NaN remains. */
    private static FloatVector clamp(FloatVector v, float least, float largest) {
        FloatVector x = v.blend(largest, v.compare(VectorOperators.GT, largest));
        return x.blend(least, x.compare(VectorOperators.LT, least));
    }

    /** {@return {@code x - n * ln 2}} */
    private static FloatVector rest(FloatVector x, FloatVector n) {
        return n.fma(all(-LN_2_LOW), n.fma(all(-LN_2_HIGH), x));
    }

    /** {@return {@code exp(r) - 1} up to half the logarithm of two, by a polynomial} */
    private static FloatVector fraction(FloatVector r) {
        FloatVector y = all(0.001392625f);
        y = y.fma(r, all(0.008363233f));
        y = y.fma(r, all(0.041666552f));
        y = y.fma(r, all(0.16666576f));
        y = y.fma(r, all(0.5f));
        return r.mul(r).fma(y, r);
    }

    private static FloatVector powerOfTwo(IntVector exponent) {
        return exponent.add(BIAS)
                .lanewise(VectorOperators.LSHL, MANTISSA_BITS)
                .reinterpretAsFloats();
    }

    private static FloatVector all(float number) {
        return FloatVector.broadcast(SPECIES, number);
    }
}
