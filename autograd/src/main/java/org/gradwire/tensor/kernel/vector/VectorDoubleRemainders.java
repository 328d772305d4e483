package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import org.gradwire.tensor.kernel.element.ScalarFunctions;

/**
 * Remainders and cubes of float64 through the Vector API. The remainder of a small quotient is
 * exact; vectors with another are computed one by one.
 */
final class VectorDoubleRemainders {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    /** Adding and taking away a number without room for fractions rounds half to even. */
    private static final double WHOLE = 1L << 52;

    /** Below it, a quotient is rounded to a whole number by that, and its error is below a half. */
    private static final double EXACT_QUOTIENT = WHOLE / 2;

    private VectorDoubleRemainders() {}

    static void fmod(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = DoubleVector.fromArray(SPECIES, a, ao + i);
            DoubleVector w = DoubleVector.fromArray(SPECIES, b, bo + i);
            if (areExact(v, w)) {
                rest(v, w).intoArray(y, yo + i);
            } else {
                plainFmod(a, ao + i, b, bo + i, y, yo + i, LANES);
            }
        }
        plainFmod(a, ao + i, b, bo + i, y, yo + i, n - i);
    }

    static void remainder(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = DoubleVector.fromArray(SPECIES, a, ao + i);
            DoubleVector w = DoubleVector.fromArray(SPECIES, b, bo + i);
            if (areExact(v, w)) {
                withSignOfDivisor(rest(v, w), w).intoArray(y, yo + i);
            } else {
                plainRemainder(a, ao + i, b, bo + i, y, yo + i, LANES);
            }
        }
        plainRemainder(a, ao + i, b, bo + i, y, yo + i, n - i);
    }

    /** {@return whether all quotients are small, and no divisor is infinite} */
    private static boolean areExact(DoubleVector dividend, DoubleVector divisor) {
        return dividend.div(divisor)
                .abs()
                .compare(VectorOperators.LT, EXACT_QUOTIENT)
                .and(divisor.abs().compare(VectorOperators.LT, Double.POSITIVE_INFINITY))
                .allTrue();
    }

    /** {@return the remainders with the signs of the dividends} */
    private static DoubleVector rest(DoubleVector dividend, DoubleVector divisor) {
        DoubleVector a = dividend.abs();
        DoubleVector b = divisor.abs();
        DoubleVector quotient = a.div(b);
        DoubleVector near = quotient.add(WHOLE).sub(WHOLE);
        DoubleVector whole = near.blend(near.sub(1), near.compare(VectorOperators.GT, quotient));
        DoubleVector rest = whole.neg().fma(b, a);
        DoubleVector exact = rest.blend(rest.add(b), rest.compare(VectorOperators.LT, 0));
        return VectorDoubleRounding.withSign(exact, dividend);
    }

    private static DoubleVector withSignOfDivisor(DoubleVector rest, DoubleVector divisor) {
        DoubleVector wanted = VectorDoubleRounding.withSign(rest, divisor);
        return rest.blend(rest.add(divisor), rest.compare(VectorOperators.NE, wanted));
    }

    private static void plainFmod(
            double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = ScalarFunctions.fmod(a[ao + i], b[bo + i]);
        }
    }

    private static void plainRemainder(
            double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = ScalarFunctions.remainder(a[ao + i], b[bo + i]);
        }
    }

    static void cube(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = DoubleVector.fromArray(SPECIES, x, xo + i);
            v.mul(v).mul(v).intoArray(y, yo + i);
        }
        for (; i < n; i++) {
            y[yo + i] = x[xo + i] * x[xo + i] * x[xo + i];
        }
    }
}
