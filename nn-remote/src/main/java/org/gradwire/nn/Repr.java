package org.gradwire.nn;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.Objects;
import java.util.StringJoiner;

/** Options as PyTorch prints them: {@code 3, 4, bias=False}. */
final class Repr {
    private final StringJoiner options = new StringJoiner(", ");

    /** Begin with values whose names are not printed. */
    Repr(Object... values) {
        for (Object value : values) {
            options.add(of(value));
        }
    }

    /** Add an option. */
    Repr add(String name, @Nullable Object value) {
        options.add(name + "=" + of(value));
        return this;
    }

    /** Add an option if it is not what it would be anyway. */
    Repr add(String name, @Nullable Object value, @Nullable Object usual) {
        return Objects.equals(value, usual) ? this : add(name, value);
    }

    @Override
    public String toString() {
        return options.toString();
    }

    /** {@return a value as Python prints it} */
    static String of(@Nullable Object value) {
        return switch (value) {
            case null -> "None";
            case Boolean truth -> truth ? "True" : "False";
            case Double number -> number(number);
            default -> value.toString();
        };
    }

    /** {@return a number as Python prints it that was given without a point} */
    static String whole(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : number(value);
    }

    private static String number(double value) {
        double size = Math.abs(value);
        String digits = Double.toString(value);
        if (size != 0 && (size < 1e-4 || size >= 1e16)) {
            String[] parts = digits.split("E", 2);
            int exponent = Integer.parseInt(parts[1]);
            return "%se%s%02d"
                    .formatted(
                            parts[0].replaceFirst("\\.0$", ""),
                            exponent < 0 ? "-" : "+",
                            Math.abs(exponent));
        }
        if (!digits.contains("E")) {
            return digits;
        }
        String plain = new BigDecimal(digits).stripTrailingZeros().toPlainString();
        return plain.contains(".") ? plain : plain + ".0";
    }
}
