package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Natural logarithms of float64. They use only operations that IEEE 754 rounds, so that the results
 * are the same interpreted and compiled; those of the Vector API are not.
 */
final class VectorDoubleLogarithms {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;

    /** The bits of the root of a half, the least mantissa. */
    private static final long LEAST_MANTISSA = 0x3FE6A09E667F3BCDL;

    private static final int MANTISSA_BITS = 52;

    /** Makes a subnormal number normal. */
    private static final double SUBNORMAL_SCALE = 0x1p54;

    private static final double SUBNORMAL_EXPONENT = 54;

    /**
     * The natural logarithm of two is the sum of these; few bits in the first, for exact products.
     */
    private static final double LN_2_HIGH = 0.6931471805582987;

    private static final double LN_2_LOW = 1.6465949582897082e-12;

    /** A number with an integer in its low bits is greater by that integer. */
    private static final double INTEGERS = 0x1.8p52;

    private static final long INTEGER_BITS = 0x4338000000000000L;

    private VectorDoubleLogarithms() {}

    static DoubleVector log(DoubleVector v) {
        VectorMask<Double> subnormal = v.compare(VectorOperators.LT, Double.MIN_NORMAL);
        DoubleVector x = v.blend(v.mul(SUBNORMAL_SCALE), subnormal);
        LongVector bits = x.reinterpretAsLongs();
        LongVector exponent =
                bits.sub(LEAST_MANTISSA).lanewise(VectorOperators.ASHR, MANTISSA_BITS);
        DoubleVector e = exponent.add(INTEGER_BITS).reinterpretAsDoubles().sub(INTEGERS);
        DoubleVector mantissa =
                bits.sub(exponent.lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                        .reinterpretAsDoubles();
        DoubleVector y = sum(mantissa.sub(1), e.blend(e.sub(SUBNORMAL_EXPONENT), subnormal));
        return y.blend(Double.NaN, v.compare(VectorOperators.LT, 0))
                .blend(Double.NEGATIVE_INFINITY, v.compare(VectorOperators.EQ, 0))
                .blend(v, v.compare(VectorOperators.LT, Double.POSITIVE_INFINITY).not());
    }

    /** The logarithm of the rounded sum with one, and what rounding it removed. */
    static DoubleVector log1p(DoubleVector v) {
        DoubleVector sum = v.add(1);
        DoubleVector rounding = v.sub(sum.sub(1));
        DoubleVector y = log(sum).add(rounding.div(sum));
        VectorMask<Double> limit = sum.compare(VectorOperators.EQ, 0);
        return y.blend(Double.NEGATIVE_INFINITY, limit)
                .blend(v, v.compare(VectorOperators.EQ, 0))
                .blend(v, v.compare(VectorOperators.EQ, Double.POSITIVE_INFINITY));
    }

    /** {@return {@code log(1 + f) + e * ln 2}, by a polynomial in {@code f / (2 + f)}} */
    private static DoubleVector sum(DoubleVector f, DoubleVector e) {
        DoubleVector s = f.div(f.add(2));
        DoubleVector z = s.mul(s);
        DoubleVector y = all(0.14617807153417325);
        y = y.fma(z, all(0.15331611722055008));
        y = y.fma(z, all(0.1818289243253687));
        y = y.fma(z, all(0.22222211089379496));
        y = y.fma(z, all(0.28571428626253836));
        y = y.fma(z, all(0.3999999999989889));
        y = y.fma(z, all(0.666666666666667));
        DoubleVector half = f.mul(f).mul(0.5);
        DoubleVector low = s.fma(y.fma(z, half), e.mul(LN_2_LOW));
        return e.mul(LN_2_HIGH).sub(half.sub(low).sub(f));
    }

    private static DoubleVector all(double number) {
        return DoubleVector.broadcast(SPECIES, number);
    }
}
