package org.gradwire.device.cuda;

import static java.lang.Math.abs;
import static java.lang.Math.clamp;
import static java.lang.Math.exp;
import static java.lang.Math.log;
import static java.lang.Math.log1p;
import static java.lang.Math.max;
import static java.lang.Math.signum;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The kernels of pointwise losses, in Java: functions of their inputs in order. */
final class LossReference {
    static final Map<String, ToDoubleFunction<double[]>> FUNCTIONS = new TreeMap<>();

    static {
        distances();
        crossEntropies();
        divergences();
    }

    private LossReference() {}

    /** {@return the function of the inputs} */
    static ToDoubleFunction<double[]> of(String name) {
        return Objects.requireNonNull(FUNCTIONS.get(name), name);
    }

    private static void distances() {
        FUNCTIONS.put("squared_error", x -> (x[0] - x[1]) * (x[0] - x[1]));
        FUNCTIONS.put("squared_error_gradient", x -> 2 * (x[0] - x[1]) * x[2] * x[3]);
        FUNCTIONS.put("absolute_error", x -> abs(x[0] - x[1]));
        FUNCTIONS.put("absolute_error_gradient", x -> signum(x[0] - x[1]) * x[2] * x[3]);
        FUNCTIONS.put("smooth_l1", x -> smooth(abs(x[0] - x[1]), x[2]));
        FUNCTIONS.put("smooth_l1_gradient", x -> clamp((x[0] - x[1]) / x[4], -1, 1) * x[2] * x[3]);
        FUNCTIONS.put("huber", x -> smooth(abs(x[0] - x[1]), x[2]) * x[2]);
        FUNCTIONS.put("huber_gradient", x -> clamp(x[0] - x[1], -x[4], x[4]) * x[2] * x[3]);
    }

    private static double smooth(double distance, double beta) {
        return distance < beta ? distance * distance / (2 * beta) : distance - beta / 2;
    }

    private static void crossEntropies() {
        FUNCTIONS.put(
                "binary_cross_entropy",
                x -> -x[2] * (x[1] * log(x[0]) + (1 - x[1]) * log1p(-x[0])));
        FUNCTIONS.put(
                "binary_cross_entropy_gradient",
                x -> x[2] * ((1 - x[1]) / (1 - x[0]) - x[1] / x[0]) * x[3] * x[4]);
        FUNCTIONS.put(
                "binary_cross_entropy_target_gradient",
                x -> x[2] * log((1 - x[0]) / x[0]) * x[3] * x[4]);
        FUNCTIONS.put(
                "logit_cross_entropy",
                x -> x[2] * (x[3] * x[1] * softplus(-x[0]) + (1 - x[1]) * softplus(x[0])));
        FUNCTIONS.put(
                "logit_cross_entropy_gradient",
                x ->
                        x[2]
                                * ((1 - x[1]) * sigmoid(x[0]) - x[3] * x[1] * sigmoid(-x[0]))
                                * x[4]
                                * x[5]);
        FUNCTIONS.put(
                "logit_cross_entropy_target_gradient",
                x -> x[2] * (x[3] * softplus(-x[0]) - softplus(x[0])) * x[4] * x[5]);
    }

    private static double softplus(double x) {
        return log1p(exp(-abs(x))) + max(x, 0);
    }

    private static double sigmoid(double x) {
        return 1 / (1 + exp(-x));
    }

    private static void divergences() {
        FUNCTIONS.put("kl_divergence", x -> x[1] * (log(x[1]) - x[0]));
        FUNCTIONS.put("kl_divergence_gradient", x -> -x[1] * x[2] * x[3]);
        FUNCTIONS.put("kl_divergence_target_gradient", x -> (log(x[1]) + 1 - x[0]) * x[2] * x[3]);
        FUNCTIONS.put("log_kl_divergence", x -> exp(x[1]) * (x[1] - x[0]));
        FUNCTIONS.put("log_kl_divergence_gradient", x -> -exp(x[1]) * x[2] * x[3]);
        FUNCTIONS.put(
                "log_kl_divergence_target_gradient",
                x -> exp(x[1]) * (x[1] - x[0] + 1) * x[2] * x[3]);
    }

    /** {@return the number of inputs that are elements; the others are one number each} */
    static int elements(String name) {
        int operands = name.startsWith("binary_cross") ? 3 : name.startsWith("logit_cross") ? 4 : 2;
        return name.endsWith("_gradient") ? operands + 1 : operands;
    }

    /** {@return the number of inputs that are one number} */
    static int numbers(String name) {
        int own = name.startsWith("smooth_l1") || name.startsWith("huber") ? 1 : 0;
        return name.endsWith("_gradient") ? own + 1 : own;
    }
}
