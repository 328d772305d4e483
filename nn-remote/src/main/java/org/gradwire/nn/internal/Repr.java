package org.gradwire.nn.internal;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Formats options as PyTorch prints them: {@code 3, 4, bias=False}. */
public final class Repr {
    private final StringJoiner options = new StringJoiner(", ");

    /** Start with values printed without names. */
    public Repr(Object... values) {
        for (Object value : values) {
            options.add(of(value));
        }
    }

    /** Add an option. */
    public Repr add(String name, @Nullable Object value) {
        options.add(name + "=" + of(value));
        return this;
    }

    /** Add an option unless it has its default value. */
    public Repr add(String name, @Nullable Object value, @Nullable Object usual) {
        return Objects.equals(value, usual) ? this : add(name, value);
    }

    @Override
    public String toString() {
        return options.toString();
    }

    /** {@return a value as Python prints it} */
    public static String of(@Nullable Object value) {
        return switch (value) {
            case null -> "None";
            case Boolean truth -> truth ? "True" : "False";
            case Double number -> number(number);
            default -> value.toString();
        };
    }

    /** {@return sizes as Python prints a tuple: {@code (3, 2)} or {@code (3,)}} */
    public static String tuple(int... sizes) {
        return Arrays.stream(sizes)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", ", "(", sizes.length == 1 ? ",)" : ")"));
    }

    /** {@return one number if all sizes are equal, else the tuple, as PyTorch prints options} */
    public static String brief(int... sizes) {
        return Arrays.stream(sizes).allMatch(size -> size == sizes[0])
                ? Integer.toString(sizes[0])
                : tuple(sizes);
    }

    /** {@return a number as Python prints it, without a decimal point if it is whole} */
    public static String whole(double value) {
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
