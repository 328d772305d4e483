package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The text of arguments in a difference. A tensor is {@code float32[2, 3]{grad 0 big inf nan}}: in
 * braces, whether it requires a gradient, and which of these elements it has; big ones are finite
 * and above ten millions.
 */
final class FuzzText {
    private static final double BIG = 1e7;

    private FuzzText() {}

    static String of(@Nullable Object value) {
        return switch (value) {
            case Tensor tensor -> tensor.dtype() + Arrays.toString(tensor.shape()) + marks(tensor);
            case int[] ints -> Arrays.toString(ints);
            case List<?> list -> list.stream().map(FuzzText::of).toList().toString();
            case null, default -> String.valueOf(value);
        };
    }

    private static String marks(Tensor tensor) {
        List<String> marks = new ArrayList<>();
        if (tensor.requiresGrad()) {
            marks.add("grad");
        }
        if (tensor.dtype().isFloating()) {
            double[] numbers = tensor.toDense().detach().toDoubleArray();
            addIf(Arrays.stream(numbers).anyMatch(number -> number == 0), "0", marks);
            addIf(Arrays.stream(numbers).anyMatch(FuzzText::isBig), "big", marks);
            addIf(Arrays.stream(numbers).anyMatch(Double::isInfinite), "inf", marks);
            addIf(Arrays.stream(numbers).anyMatch(Double::isNaN), "nan", marks);
        }
        return marks.isEmpty() ? "" : "{" + String.join(" ", marks) + "}";
    }

    private static boolean isBig(double number) {
        return Double.isFinite(number) && Math.abs(number) > BIG;
    }

    private static void addIf(boolean condition, String mark, List<String> marks) {
        if (condition) {
            marks.add(mark);
        }
    }
}
