package org.gradwire.tensor.kernel.element;

/**
 * The error function, {@code 2 / sqrt(pi)} times the integral of {@code exp(-t^2)} from 0 on, to
 * the last bits of a double: the rational approximations of FreeBSD's {@code s_erf.c}.
 */
final class ErrorFunction {
    /** erf(x) / x - 1 for |x| below 0.84375, by x^2. */
    private static final double[] SMALL = {
        0.12837916709551256,
        -0.3250421072470015,
        -0.02848174957559851,
        -0.005770270296489442,
        -2.3763016656650163e-05
    };

    private static final double[] SMALL_BELOW = {
        1,
        0.39791722395915535,
        0.0650222499887673,
        0.005081306281875766,
        0.00013249473800432164,
        -3.960228278775368e-06
    };

    /** erf(x) - ONE for |x| below 1.25, by |x| - 1. */
    private static final double[] NEAR_ONE = {
        -0.0023621185607526594,
        0.41485611868374833,
        -0.3722078760357013,
        0.31834661990116175,
        -0.11089469428239668,
        0.035478304325618236,
        -0.002166375594868791
    };

    private static final double[] NEAR_ONE_BELOW = {
        1,
        0.10642088040084423,
        0.540397917702171,
        0.07182865441419627,
        0.12617121980876164,
        0.01363708391202905,
        0.011984499846799107
    };

    private static final double ONE = 0.8450629115104675;

    /** The logarithm of erfc(x) * x, plus x^2, for |x| below 1 / 0.35, by 1 / x^2. */
    private static final double[] MIDDLE = {
        -0.009864944034847148,
        -0.6938585727071818,
        -10.558626225323291,
        -62.375332450326006,
        -162.39666946257347,
        -184.60509290671104,
        -81.2874355063066,
        -9.814329344169145
    };

    private static final double[] MIDDLE_BELOW = {
        1,
        19.651271667439257,
        137.65775414351904,
        434.56587747522923,
        645.3872717332679,
        429.00814002756783,
        108.63500554177944,
        6.570249770319282,
        -0.0604244152148581
    };

    /** The same for larger ones. */
    private static final double[] LARGE = {
        -0.0098649429247001,
        -0.799283237680523,
        -17.757954917754752,
        -160.63638485582192,
        -637.5664433683896,
        -1025.0951316110772,
        -483.5191916086514
    };

    private static final double[] LARGE_BELOW = {
        1,
        30.33806074348246,
        325.7925129965739,
        1536.729586084437,
        3199.8582195085955,
        2553.0504064331644,
        474.52854120695537,
        -22.44095244658582
    };

    private ErrorFunction() {}

    static double erf(double x) {
        double size = Math.abs(x);
        if (size < 0.84375) {
            double square = x * x;
            return x + x * polynomial(SMALL, square) / polynomial(SMALL_BELOW, square);
        }
        return Math.copySign(1, x) * ofLarger(size);
    }

    private static double ofLarger(double size) {
        if (size < 1.25) {
            double s = size - 1;
            return ONE + polynomial(NEAR_ONE, s) / polynomial(NEAR_ONE_BELOW, s);
        }
        return size >= 6 ? 1 : 1 - rest(size);
    }

    /** {@return {@code 1 - erf(x)}, also where that is too small for a difference} */
    static double erfc(double x) {
        double size = Math.abs(x);
        if (!(size >= 1.25)) {
            return 1 - erf(x);
        }
        double rest = size >= 28 ? 0 : rest(size);
        return x > 0 ? rest : 2 - rest;
    }

    /** {@return {@code erfc} of a number from 1.25 on} */
    private static double rest(double size) {
        double s = 1 / (size * size);
        double ratio =
                size < 1 / 0.35
                        ? polynomial(MIDDLE, s) / polynomial(MIDDLE_BELOW, s)
                        : polynomial(LARGE, s) / polynomial(LARGE_BELOW, s);
        double head =
                Double.longBitsToDouble(Double.doubleToRawLongBits(size) & 0xffffffff00000000L);
        double power =
                Math.exp(-head * head - 0.5625) * Math.exp((head - size) * (head + size) + ratio);
        return power / size;
    }

    private static double polynomial(double[] coefficients, double x) {
        double sum = 0;
        for (int i = coefficients.length - 1; i >= 0; i--) {
            sum = sum * x + coefficients[i];
        }
        return sum;
    }
}
