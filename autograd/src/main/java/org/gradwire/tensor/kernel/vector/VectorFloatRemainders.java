package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import org.gradwire.tensor.kernel.element.ScalarFunctions;

/**
 * Remainders and cubes of float32 through the Vector API. The remainder of a small quotient is
 * exact; vectors with another are computed one by one.
 */
final class VectorFloatRemainders {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    /** Adding and taking away a number without room for fractions rounds half to even. */
    private static final float WHOLE = 1 << 23;

    /** Below it, a quotient is rounded to a whole number by that, and its error is below a half. */
    private static final float EXACT_QUOTIENT = WHOLE / 2;

    private VectorFloatRemainders() {}

    static void fmod(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = FloatVector.fromArray(SPECIES, a, ao + i);
            FloatVector w = FloatVector.fromArray(SPECIES, b, bo + i);
            if (areExact(v, w)) {
                rest(v, w).intoArray(y, yo + i);
            } else {
                plainFmod(a, ao + i, b, bo + i, y, yo + i, LANES);
            }
        }
        plainFmod(a, ao + i, b, bo + i, y, yo + i, n - i);
    }

    static void remainder(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = FloatVector.fromArray(SPECIES, a, ao + i);
            FloatVector w = FloatVector.fromArray(SPECIES, b, bo + i);
            if (areExact(v, w)) {
                withSignOfDivisor(rest(v, w), w).intoArray(y, yo + i);
            } else {
                plainRemainder(a, ao + i, b, bo + i, y, yo + i, LANES);
            }
        }
        plainRemainder(a, ao + i, b, bo + i, y, yo + i, n - i);
    }

    /** {@return whether all quotients are small, and no divisor is infinite} */
    private static boolean areExact(FloatVector dividend, FloatVector divisor) {
        return dividend.div(divisor)
                .abs()
                .compare(VectorOperators.LT, EXACT_QUOTIENT)
                .and(divisor.abs().compare(VectorOperators.LT, Float.POSITIVE_INFINITY))
                .allTrue();
    }

    /** {@return the remainders with the signs of the dividends} */
    private static FloatVector rest(FloatVector dividend, FloatVector divisor) {
        FloatVector a = dividend.abs();
        FloatVector b = divisor.abs();
        FloatVector quotient = a.div(b);
        FloatVector near = quotient.add(WHOLE).sub(WHOLE);
        FloatVector whole = near.blend(near.sub(1), near.compare(VectorOperators.GT, quotient));
        FloatVector rest = whole.neg().fma(b, a);
        FloatVector exact = rest.blend(rest.add(b), rest.compare(VectorOperators.LT, 0));
        return VectorFloatRounding.withSign(exact, dividend);
    }

    private static FloatVector withSignOfDivisor(FloatVector rest, FloatVector divisor) {
        FloatVector wanted = VectorFloatRounding.withSign(rest, divisor);
        return rest.blend(rest.add(divisor), rest.compare(VectorOperators.NE, wanted));
    }

    private static void plainFmod(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) ScalarFunctions.fmod(a[ao + i], b[bo + i]);
        }
    }

    private static void plainRemainder(
            float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) ScalarFunctions.remainder(a[ao + i], b[bo + i]);
        }
    }

    static void cube(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xo + i);
            v.mul(v).mul(v).intoArray(y, yo + i);
        }
        for (; i < n; i++) {
            y[yo + i] = x[xo + i] * x[xo + i] * x[xo + i];
        }
    }
}
