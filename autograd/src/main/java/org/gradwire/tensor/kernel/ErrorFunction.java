package org.gradwire.tensor.kernel;

/**
 * The error function, {@code 2 / sqrt(pi)} times the integral of {@code exp(-t^2)} from 0 on, to
 * the last bits of a double: the rational approximations of FreeBSD's {@code s_erf.c}.
 */
final class ErrorFunction {
    /** erf(x) / x - 1 for |x| below 0.84375, by x^2. */
    private static final double[] SMALL = {
        1.28379167095512558561e-01,
        -3.25042107247001499370e-01,
        -2.84817495755985104766e-02,
        -5.77027029648944159157e-03,
        -2.37630166566501626084e-05
    };

    private static final double[] SMALL_BELOW = {
        1,
        3.97917223959155352819e-01,
        6.50222499887672944485e-02,
        5.08130628187576562776e-03,
        1.32494738004321644526e-04,
        -3.96022827877536812320e-06
    };

    /** erf(x) - ONE for |x| below 1.25, by |x| - 1. */
    private static final double[] NEAR_ONE = {
        -2.36211856075265944077e-03,
        4.14856118683748331666e-01,
        -3.72207876035701323847e-01,
        3.18346619901161753674e-01,
        -1.10894694282396677476e-01,
        3.54783043256182359371e-02,
        -2.16637559486879084300e-03
    };

    private static final double[] NEAR_ONE_BELOW = {
        1,
        1.06420880400844228286e-01,
        5.40397917702171048937e-01,
        7.18286544141962662868e-02,
        1.26171219808761642112e-01,
        1.36370839120290507362e-02,
        1.19844998467991074170e-02
    };

    private static final double ONE = 8.45062911510467529297e-01;

    /** The logarithm of erfc(x) * x, plus x^2, for |x| below 1 / 0.35, by 1 / x^2. */
    private static final double[] MIDDLE = {
        -9.86494403484714822705e-03,
        -6.93858572707181764372e-01,
        -1.05586262253232909814e+01,
        -6.23753324503260060396e+01,
        -1.62396669462573470355e+02,
        -1.84605092906711035994e+02,
        -8.12874355063065934246e+01,
        -9.81432934416914548592e+00
    };

    private static final double[] MIDDLE_BELOW = {
        1,
        1.96512716674392571292e+01,
        1.37657754143519042600e+02,
        4.34565877475229228821e+02,
        6.45387271733267880336e+02,
        4.29008140027567833386e+02,
        1.08635005541779435134e+02,
        6.57024977031928170135e+00,
        -6.04244152148580987438e-02
    };

    /** The same for larger ones. */
    private static final double[] LARGE = {
        -9.86494292470009928597e-03,
        -7.99283237680523006574e-01,
        -1.77579549177547519889e+01,
        -1.60636384855821916062e+02,
        -6.37566443368389627722e+02,
        -1.02509513161107724954e+03,
        -4.83519191608651397019e+02
    };

    private static final double[] LARGE_BELOW = {
        1,
        3.03380607434824582924e+01,
        3.25792512996573918826e+02,
        1.53672958608443695994e+03,
        3.19985821950859553908e+03,
        2.55305040643316442583e+03,
        4.74528541206955367215e+02,
        -2.24409524465858183362e+01
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
        if (size >= 6) {
            return 1;
        }
        double s = 1 / (size * size);
        double ratio =
                size < 1 / 0.35
                        ? polynomial(MIDDLE, s) / polynomial(MIDDLE_BELOW, s)
                        : polynomial(LARGE, s) / polynomial(LARGE_BELOW, s);
        double head =
                Double.longBitsToDouble(Double.doubleToRawLongBits(size) & 0xffffffff00000000L);
        double power =
                Math.exp(-head * head - 0.5625) * Math.exp((head - size) * (head + size) + ratio);
        return 1 - power / size;
    }

    private static double polynomial(double[] coefficients, double x) {
        double sum = 0;
        for (int i = coefficients.length - 1; i >= 0; i--) {
            sum = sum * x + coefficients[i];
        }
        return sum;
    }
}
