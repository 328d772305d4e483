package org.gradwire.tensor.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Formats numbers as PyTorch does: as integers, with four digits, or in scientific notation,
 * uniformly for all numbers of a tensor.
 */
final class NumberFormatter {
    private static final int PRECISION = 4;
    private static final double LARGEST_RATIO = 1000;
    private static final double LARGEST = 1e8;
    private static final double LEAST = 1e-4;

    private final boolean wholeNumbers;
    private final boolean scientific;
    private final int width;

    /** Choose the format of numbers, ignoring zeros and non-finite ones. */
    NumberFormatter(double[] numbers) {
        boolean whole = true;
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (double number : numbers) {
            double size = Math.abs(number);
            if (Double.isFinite(size) && size != 0) {
                whole &= size == Math.rint(size);
                least = Math.min(least, size);
                most = Math.max(most, size);
            }
        }
        boolean wide = most / least > LARGEST_RATIO || most > LARGEST;
        wholeNumbers = whole;
        scientific = most > 0 && (wide || (!whole && least < LEAST));
        int longest = 1;
        for (double number : numbers) {
            if (Double.isFinite(number) && number != 0) {
                longest = Math.max(longest, text(number).length());
            }
        }
        width = longest;
    }

    /** {@return the width to which numbers are padded} */
    int width() {
        return width;
    }

    /** {@return a number, with blanks before it} */
    String padded(double number) {
        String text = text(number);
        return " ".repeat(Math.max(width - text.length(), 0)) + text;
    }

    private String text(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        String sign = Double.doubleToRawLongBits(number) < 0 ? "-" : "";
        if (Double.isInfinite(number)) {
            return sign + "inf";
        }
        var exact = new BigDecimal(Math.abs(number));
        if (scientific) {
            return sign + scientific(exact);
        }
        return wholeNumbers
                ? sign + exact.setScale(0, RoundingMode.HALF_EVEN).toPlainString() + "."
                : sign + exact.setScale(PRECISION, RoundingMode.HALF_EVEN).toPlainString();
    }

    private static String scientific(BigDecimal exact) {
        BigDecimal rounded = exact.round(new MathContext(PRECISION + 1, RoundingMode.HALF_EVEN));
        int exponent = rounded.signum() == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
        String digits = rounded.scaleByPowerOfTen(-exponent).setScale(PRECISION).toPlainString();
        return digits
                + String.format(
                        Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
    }
}
