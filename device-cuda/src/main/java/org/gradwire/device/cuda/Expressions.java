package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * CUDA C++ expressions of the functions of elements, by kernel name. {@code a} to {@code f} are the
 * inputs in order, {@code N(0.5)} a number of their type, and {@code F(exp)} the function {@code
 * exp} for it.
 */
final class Expressions {
    private static final String SIGMOID = "(N(1) / (N(1) + F(exp)(-a)))";
    private static final String NORMAL = "((N(1) + F(erf)(a * N(0.70710678118654752440))) / N(2))";
    private static final String TANGENT =
            "F(tanh)(N(0.79788456080286535588) * (a + N(0.044715) * a * a * a))";

    static final Map<String, String> FLOATING = new HashMap<>();
    static final Map<String, String> WHOLE = new HashMap<>();
    static final Map<String, String> BOOLEAN = new HashMap<>();

    static {
        arithmetic();
        functions();
        activations();
        comparisons();
        LossExpressions.distances(FLOATING);
        LossExpressions.crossEntropies(FLOATING);
        LossExpressions.divergences(FLOATING);
        whole();
        booleans();
    }

    private Expressions() {}

    private static void arithmetic() {
        FLOATING.put("add", "a + b");
        FLOATING.put("sub", "a - b");
        FLOATING.put("mul", "a * b");
        FLOATING.put("div", "a / b");
        FLOATING.put("add_scaled", "a + c * b");
        FLOATING.put("neg", "-a");
        FLOATING.put("abs", "F(fabs)(a)");
        FLOATING.put("sign", "N((a > N(0)) - (a < N(0)))");
        FLOATING.put("square", "a * a");
        FLOATING.put("reciprocal", "N(1) / a");
        FLOATING.put("remainder", "remainder_of(a, b)");
        FLOATING.put("fmod", "F(fmod)(a, b)");
    }

    private static void functions() {
        for (String name :
                new String[] {
                    "exp", "log", "cos", "sin", "sqrt", "tanh", "log1p", "expm1", "log2", "log10",
                    "tan", "asin", "acos", "atan", "sinh", "cosh", "erf", "erfc", "floor", "ceil",
                    "trunc"
                }) {
            FLOATING.put(name, "F(" + name + ")(a)");
        }
        FLOATING.put("rsqrt", "N(1) / F(sqrt)(a)");
        FLOATING.put("round", "F(rint)(a)");
        FLOATING.put("pow", "F(pow)(a, b)");
        FLOATING.put("atan2", "F(atan2)(a, b)");
    }

    private static void activations() {
        FLOATING.put("relu", "a <= N(0) ? N(0) : a");
        FLOATING.put("relu_gradient", "b <= N(0) ? N(0) : a");
        FLOATING.put("tanh_gradient", "a * (N(1) - b * b)");
        FLOATING.put("sigmoid", SIGMOID);
        FLOATING.put("sigmoid_gradient", "a * b * (N(1) - b)");
        FLOATING.put("gelu", "a * " + NORMAL);
        FLOATING.put(
                "gelu_slope", NORMAL + " + a * F(exp)(-a * a / N(2)) * N(0.39894228040143267794)");
        FLOATING.put("gelu_tanh", "a * (N(1) + " + TANGENT + ") / N(2)");
        FLOATING.put("gelu_tanh_slope", "gelu_tanh_slope_of(a, " + TANGENT + ")");
        FLOATING.put("silu", "a / (N(1) + F(exp)(-a))");
        FLOATING.put("silu_slope", SIGMOID + " * (N(1) + a * (N(1) - " + SIGMOID + "))");
        FLOATING.put("leaky_relu", "a > N(0) ? a : a * b");
        FLOATING.put("leaky_slope", "a > N(0) ? N(1) : b");
        FLOATING.put("elu", "a <= N(0) ? F(expm1)(a) * b : a");
        FLOATING.put("elu_slope", "a <= N(0) ? F(exp)(a) * b : N(1)");
        FLOATING.put("softplus", "a > b ? a : F(log1p)(F(exp)(a))");
        FLOATING.put("softplus_slope", "a > b ? N(1) : " + SIGMOID);
    }

    private static void comparisons() {
        FLOATING.put("max", "a != a ? a : b != b ? b : a > b ? a : b");
        FLOATING.put("min", "a != a ? a : b != b ? b : a < b ? a : b");
        FLOATING.put("max_share", "a < b ? N(0) : a == b ? N(0.5) : N(1)");
        FLOATING.put("min_share", "a > b ? N(0) : a == b ? N(0.5) : N(1)");
        FLOATING.put("same", "N(a == b)");
        FLOATING.put("at_least", "N(a >= b)");
        FLOATING.put("where", "a ? b : c");
    }

    private static void whole() {
        WHOLE.put("add", "a + b");
        WHOLE.put("sub", "a - b");
        WHOLE.put("mul", "a * b");
        WHOLE.put("add_scaled", "a + c * b");
        WHOLE.put("neg", "-a");
        WHOLE.put("abs", "a < 0 ? -a : a");
        WHOLE.put("sign", "N((a > 0) - (a < 0))");
        WHOLE.put("square", "a * a");
        WHOLE.put("relu", "a < 0 ? N(0) : a");
        WHOLE.put("max", "a > b ? a : b");
        WHOLE.put("min", "a < b ? a : b");
        WHOLE.put("same", "N(a == b)");
        WHOLE.put("at_least", "N(a >= b)");
        WHOLE.put("where", "a ? b : c");
        for (String name : new String[] {"floor", "ceil", "round", "trunc"}) {
            WHOLE.put(name, "a");
        }
    }

    /** Functions with results of bool, of inputs of any type. */
    private static void booleans() {
        BOOLEAN.put("eq", "a == b");
        BOOLEAN.put("ne", "a != b");
        BOOLEAN.put("lt", "a < b");
        BOOLEAN.put("le", "a <= b");
        BOOLEAN.put("gt", "a > b");
        BOOLEAN.put("ge", "a >= b");
        BOOLEAN.put("is_nan", "a != a");
        BOOLEAN.put("is_finite", "a - a == a - a");
        BOOLEAN.put("is_infinite", "a == a && a - a != a - a");
        BOOLEAN.put("is_no_probability", "!(a >= 0 && a <= 1)");
        BOOLEAN.put("is_no_label", "a != b && (a < 0 || a >= c)");
        BOOLEAN.put("where", "a ? b : c");
        BOOLEAN.put("add", "a || b");
        BOOLEAN.put("mul", "a && b");
    }

    /** {@return the expression of a kernel for a type; null where there is none} */
    static @Nullable String of(String name, ElementType type) {
        return switch (type) {
            case BOOL -> BOOLEAN.get(name);
            case INT32, INT64 -> WHOLE.get(name);
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> FLOATING.get(name);
        };
    }
}
