package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Natural logarithms of float32. They use only operations that IEEE 754 rounds, so that the results
 * are the same interpreted and compiled; those of the Vector API are not.
 */
final class VectorFloatLogarithms {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

    /** The bits of the root of a half, the least mantissa. */
    private static final int LEAST_MANTISSA = 0x3F3504F3;

    private static final int MANTISSA_BITS = 23;

    /** Makes a subnormal number normal. */
    private static final float SUBNORMAL_SCALE = 0x1p23f;

    private static final float SUBNORMAL_EXPONENT = 23;

    /**
     * The natural logarithm of two is the sum of these; few bits in the first, for exact products.
     */
    private static final float LN_2_HIGH = 0.69311523f;

    private static final float LN_2_LOW = 3.1946183e-05f;

    /** A number with an integer in its low bits is greater by that integer. */
    private static final float INTEGERS = 0x1.8p23f;

    private static final int INTEGER_BITS = 0x4B400000;

    private VectorFloatLogarithms() {}

    static FloatVector log(FloatVector v) {
        VectorMask<Float> subnormal = v.compare(VectorOperators.LT, Float.MIN_NORMAL);
        FloatVector x = v.blend(v.mul(SUBNORMAL_SCALE), subnormal);
        IntVector bits = x.reinterpretAsInts();
        IntVector exponent = bits.sub(LEAST_MANTISSA).lanewise(VectorOperators.ASHR, MANTISSA_BITS);
        FloatVector e = exponent.add(INTEGER_BITS).reinterpretAsFloats().sub(INTEGERS);
        FloatVector mantissa =
                bits.sub(exponent.lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                        .reinterpretAsFloats();
        FloatVector y = sum(mantissa.sub(1), e.blend(e.sub(SUBNORMAL_EXPONENT), subnormal));
        return y.blend(Float.NaN, v.compare(VectorOperators.LT, 0))
                .blend(Float.NEGATIVE_INFINITY, v.compare(VectorOperators.EQ, 0))
                .blend(v, v.compare(VectorOperators.LT, Float.POSITIVE_INFINITY).not());
    }

    /** The logarithm of the rounded sum with one, and what rounding it removed. */
    static FloatVector log1p(FloatVector v) {
        FloatVector sum = v.add(1);
        FloatVector rounding = v.sub(sum.sub(1));
        FloatVector y = log(sum).add(rounding.div(sum));
        VectorMask<Float> limit = sum.compare(VectorOperators.EQ, 0);
        return y.blend(Float.NEGATIVE_INFINITY, limit)
                .blend(v, v.compare(VectorOperators.EQ, 0))
                .blend(v, v.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY));
    }

    /** {@return {@code log(1 + f) + e * ln 2}, by a polynomial} */
    private static FloatVector sum(FloatVector f, FloatVector e) {
        FloatVector y = all(0.06971612f);
        y = y.fma(f, all(-0.11479734f));
        y = y.fma(f, all(0.1168542f));
        y = y.fma(f, all(-0.12425687f));
        y = y.fma(f, all(0.14249058f));
        y = y.fma(f, all(-0.16667803f));
        y = y.fma(f, all(0.20000716f));
        y = y.fma(f, all(-0.24999997f));
        y = y.fma(f, all(0.3333333f));
        FloatVector square = f.mul(f);
        FloatVector low = y.mul(f).fma(square, e.mul(LN_2_LOW));
        return f.add(square.fma(all(-0.5f), low)).add(e.mul(LN_2_HIGH));
    }

    private static FloatVector all(float number) {
        return FloatVector.broadcast(SPECIES, number);
    }
}
