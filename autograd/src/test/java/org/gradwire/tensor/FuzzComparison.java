package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Compares a tensor with the words that describe PyTorch's: {@code TYPE SHAPE STRIDES ...}. */
final class FuzzComparison {
    /** A rounding difference in addition to the one that {@code program.py} found. */
    private record Tolerance(double relative, double absolute) {
        static final Tolerance FLOAT32 = new Tolerance(1e-4, 2e-6);
        static final Tolerance FLOAT64 = new Tolerance(1e-8, 1e-10);
    }

    private final Tensor actual;
    private final List<String> expected;
    private final double rounding;
    private final Tolerance tolerance;

    private FuzzComparison(List<String> words, Tensor actual, boolean mixed) {
        this.actual = actual;
        this.expected = words.subList(6, words.size());
        this.rounding = Double.parseDouble(words.get(5));
        boolean exact = actual.dtype() == DType.FLOAT64 && !mixed;
        this.tolerance = exact ? Tolerance.FLOAT64 : Tolerance.FLOAT32;
    }

    /**
     * {@return the difference, if any}
     *
     * @param mixed whether a float64 result may have passed through float32
     */
    static Optional<String> difference(List<String> words, Tensor actual, boolean mixed) {
        String shape = Arrays.toString(FuzzProgram.integers(words.get(3)));
        String actualShape = Arrays.toString(actual.shape());
        if (!words.get(2).equals(actual.dtype().toString())) {
            return Optional.of("dtype " + actual.dtype() + " for " + words.get(2));
        }
        if (!shape.equals(actualShape)) {
            return Optional.of("shape " + actualShape + " for " + shape);
        }
        String difference = words.get(4).equals("*") ? null : strides(words.get(4), actual);
        var comparison = new FuzzComparison(words, actual, mixed);
        return Optional.ofNullable(difference == null ? comparison.elements() : difference);
    }

    /** Compare the strides of dimensions that have some; those of others mean nothing. */
    private static @Nullable String strides(String word, Tensor value) {
        int[] expected = FuzzProgram.integers(word);
        int[] actual = value.strides();
        for (int d = 0; d < actual.length && value.numel() > 0; d++) {
            if (value.size(d) > 1 && actual[d] != expected[d]) {
                return "strides of %s are %s for %s"
                        .formatted(
                                Arrays.toString(value.shape()),
                                Arrays.toString(actual),
                                Arrays.toString(expected));
            }
        }
        return null;
    }

    private @Nullable String elements() {
        boolean fractions = actual.dtype().isFloating();
        double[] numbers = fractions ? actual.toDoubleArray() : new double[0];
        long[] whole = fractions ? new long[0] : actual.to(DType.INT64).toLongArray();
        for (int i = 0; i < Math.min(actual.numel(), expected.size()); i++) {
            String word = expected.get(i);
            boolean same =
                    word.equals("?")
                            || (fractions
                                    ? near(FuzzProgram.number(word), numbers[i])
                                    : Long.parseLong(word) == whole[i]);
            if (!same) {
                return i + ": " + (fractions ? numbers[i] : whole[i]) + " for " + word;
            }
        }
        return null;
    }

    private boolean near(double wanted, double number) {
        if (Double.isNaN(wanted) || Double.isInfinite(wanted) || Double.isNaN(number)) {
            return Double.compare(wanted, number) == 0;
        }
        double size = Math.abs(wanted);
        double smallest = actual.dtype() == DType.FLOAT32 ? Float.MIN_NORMAL : Double.MIN_NORMAL;
        double allowed = tolerance.relative * size + tolerance.absolute + smallest;
        return wanted == number
                || Math.abs(wanted - number) <= allowed + rounding * Math.max(size, 1e-3);
    }
}
