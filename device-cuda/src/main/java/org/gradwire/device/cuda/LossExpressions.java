package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The expressions of pointwise losses and their gradients, see {@link Expressions}. {@code a} is
 * the input and {@code b} the target. The last inputs of a gradient are the gradient of the losses,
 * a factor, and the number of the loss, if it has one.
 */
final class LossExpressions {
    // The logarithm, at least -100, and that of 1 - a.
    private static final String LOG = "F(fmax)(F(log)(a), N(-100))";
    private static final String LOG_OF_REST = "F(fmax)(F(log1p)(-a), N(-100))";

    private static final String SIGMOID = "(N(1) / (N(1) + F(exp)(-a)))";

    // log(1 + exp(-a)) without overflow.
    private static final String SOFTPLUS =
            "(F(log1p)(F(exp)(-F(fabs)(a))) + (a < N(0) ? -a : N(0)))";

    private LossExpressions() {}

    /** Put those of differences of input and target. */
    static void distances(Map<String, String> floating) {
        floating.put("squared_error", "(a - b) * (a - b)");
        floating.put("squared_error_gradient", "N(2) * (a - b) * c * d");
        floating.put("absolute_error", "F(fabs)(a - b)");
        floating.put("absolute_error_gradient", "N((a > b) - (a < b)) * c * d");
        floating.put(
                "smooth_l1",
                "F(fabs)(a - b) < c ? N(0.5) * (a - b) * (a - b) / c : F(fabs)(a - b) - N(0.5) * c");
        floating.put(
                "smooth_l1_gradient",
                "(a - b <= -e ? N(-1) : a - b >= e ? N(1) : (a - b) / e) * c * d");
        floating.put(
                "huber",
                "F(fabs)(a - b) <= c ? N(0.5) * (a - b) * (a - b)"
                        + " : c * (F(fabs)(a - b) - N(0.5) * c)");
        floating.put("huber_gradient", "(a - b < -e ? -e : a - b > e ? e : a - b) * c * d");
    }

    /** Put cross-entropies of two classes; {@code c} is the weight, {@code d} that of positives. */
    static void crossEntropies(Map<String, String> floating) {
        floating.put(
                "binary_cross_entropy",
                "-c * (b * " + LOG + " + (N(1) - b) * " + LOG_OF_REST + ")");
        floating.put(
                "binary_cross_entropy_gradient",
                "c * d * (a - b) / F(fmax)((N(1) - a) * a, N(1e-12)) * e");
        floating.put(
                "binary_cross_entropy_target_gradient", "c * d * (F(log1p)(-a) - F(log)(a)) * e");
        floating.put(
                "logit_cross_entropy",
                "c * ((N(1) - b) * a + ((d - N(1)) * b + N(1)) * " + SOFTPLUS + ")");
        floating.put(
                "logit_cross_entropy_gradient",
                "c * e * ((d * b + N(1) - b) * " + SIGMOID + " - d * b) * f");
        floating.put(
                "logit_cross_entropy_target_gradient",
                "c * e * ((d - N(1)) * " + SOFTPLUS + " - a) * f");
    }

    /** Put divergences of Kullback and Leibler, for targets and logarithms of targets. */
    static void divergences(Map<String, String> floating) {
        floating.put("kl_divergence", "(b == N(0) ? N(0) : b * F(log)(b)) - b * a");
        floating.put("kl_divergence_gradient", "-b * c * d");
        floating.put("kl_divergence_target_gradient", "(F(log)(b) + N(1) - a) * c * d");
        floating.put("log_kl_divergence", "F(exp)(b) * (b - a)");
        floating.put("log_kl_divergence_gradient", "-F(exp)(b) * c * d");
        floating.put("log_kl_divergence_target_gradient", "F(exp)(b) * (b - a + N(1)) * c * d");
    }
}
