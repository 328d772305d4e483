package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Exponential functions of float64. They use only operations that IEEE 754 rounds, so that the
 * results are the same interpreted and compiled; those of the Vector API are not.
 */
final class VectorDoubleExponentials {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;

    /** {@code exp} rounds to zero below the least argument, to infinity above the largest. */
    private static final double LEAST = -746;

    private static final double LARGEST = 710;

    /** The exponential functions of smaller magnitudes are normal numbers. */
    private static final double NORMAL = 708;

    /** {@code expm1} rounds to -1 below this argument. */
    private static final double LEAST_MINUS_ONE = -40;

    /** {@code tanh} rounds to 1 above this argument. */
    private static final double LARGEST_TANH = 20;

    /** {@code expm1} rounds to its argument below this one. */
    private static final double TINY = 0x1p-54;

    private static final double LOG2_E = 1.4426950408889634;

    /**
     * The natural logarithm of two is the sum of these; few bits in the first, for exact products.
     */
    private static final double LN_2_HIGH = 0.6931471805582987;

    private static final double LN_2_LOW = 1.6465949582897082e-12;

    /** Adding it rounds to an integer, in the low bits of the sum. */
    private static final double INTEGERS = 0x1.8p52;

    private static final long INTEGER_BITS = 0x4338000000000000L;
    private static final int BIAS = 1023;
    private static final int MANTISSA_BITS = 52;

    private VectorDoubleExponentials() {}

    static DoubleVector exp(DoubleVector v) {
        if (!v.abs().compare(VectorOperators.LT, NORMAL).allTrue()) {
            return scaled(clamp(v, LEAST, LARGEST));
        }
        DoubleVector shifted = v.fma(all(LOG2_E), all(INTEGERS));
        DoubleVector power = fraction(rest(v, shifted.sub(INTEGERS))).add(1);
        LongVector exponent =
                shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, MANTISSA_BITS);
        return power.reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
    }

    /** {@return an exponential function that may be subnormal, infinite or NaN} */
    private static DoubleVector scaled(DoubleVector x) {
        DoubleVector shifted = x.fma(all(LOG2_E), all(INTEGERS));
        DoubleVector power = fraction(rest(x, shifted.sub(INTEGERS))).add(1);
        LongVector exponent = shifted.reinterpretAsLongs().sub(INTEGER_BITS);
        LongVector half = exponent.lanewise(VectorOperators.ASHR, 1);
        return power.mul(powerOfTwo(half)).mul(powerOfTwo(exponent.sub(half)));
    }

    static DoubleVector expm1(DoubleVector v) {
        DoubleVector y = expm1Of(clamp(v, LEAST_MINUS_ONE, LARGEST));
        return y.blend(v, v.abs().compare(VectorOperators.LT, TINY));
    }

    /** {@code tanh(x) = expm1(2x) / (expm1(2x) + 2)}, of magnitudes. */
    static DoubleVector tanh(DoubleVector v) {
        DoubleVector x = v.abs();
        DoubleVector limited = x.blend(LARGEST_TANH, x.compare(VectorOperators.GT, LARGEST_TANH));
        DoubleVector power = expm1Of(limited.add(limited));
        LongVector sign = v.reinterpretAsLongs().lanewise(VectorOperators.AND, Long.MIN_VALUE);
        return power.div(power.add(2))
                .reinterpretAsLongs()
                .lanewise(VectorOperators.OR, sign)
                .reinterpretAsDoubles();
    }

    private static DoubleVector expm1Of(DoubleVector x) {
        DoubleVector shifted = x.fma(all(LOG2_E), all(INTEGERS));
        DoubleVector fraction = fraction(rest(x, shifted.sub(INTEGERS)));
        DoubleVector half = powerOfTwo(shifted.reinterpretAsLongs().sub(INTEGER_BITS + 1));
        DoubleVector y = fraction.fma(half, half.sub(0.5));
        return y.add(y);
    }

    /** Limit to a range; NaN remains. */
    private static DoubleVector clamp(DoubleVector v, double least, double largest) {
        DoubleVector x = v.blend(largest, v.compare(VectorOperators.GT, largest));
        return x.blend(least, x.compare(VectorOperators.LT, least));
    }

    /** {@return {@code x - n * ln 2}} */
    private static DoubleVector rest(DoubleVector x, DoubleVector n) {
        return n.fma(all(-LN_2_LOW), n.fma(all(-LN_2_HIGH), x));
    }

    /** {@return {@code exp(r) - 1} up to half the logarithm of two, by a polynomial} */
    private static DoubleVector fraction(DoubleVector r) {
        DoubleVector y = all(2.5100472505694996e-8);
        y = y.fma(r, all(2.7620201591031547e-7));
        y = y.fma(r, all(2.7557268276905696e-6));
        y = y.fma(r, all(2.4801521057868204e-5));
        y = y.fma(r, all(0.00019841269863171557));
        y = y.fma(r, all(0.0013888888917367081));
        y = y.fma(r, all(0.008333333333330039));
        y = y.fma(r, all(0.041666666666623824));
        y = y.fma(r, all(0.16666666666666669));
        y = y.fma(r, all(0.5000000000000001));
        return r.mul(r).fma(y, r);
    }

    private static DoubleVector powerOfTwo(LongVector exponent) {
        return exponent.add(BIAS)
                .lanewise(VectorOperators.LSHL, MANTISSA_BITS)
                .reinterpretAsDoubles();
    }

    private static DoubleVector all(double number) {
        return DoubleVector.broadcast(SPECIES, number);
    }
}
