package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The steps of a kernel of rows, in CUDA C++. Macros named like the inputs read these: {@code X(t)}
 * the element {@code t} of the row, of {@code n}. {@code Y(t, v)} writes one of the result, and
 * {@code PUT(i, v)} one at any place.
 *
 * @param inputs in order, without the length of a row
 * @param rowsOf the input that has one number for each row; -1 where the result has all rows
 * @param wholeNumbers whether results may be of a type without fractions
 */
record RowSteps(List<Input> inputs, int rowsOf, boolean wholeNumbers, String text) {
    private static final Map<String, RowSteps> ALL = new HashMap<>();

    /** Which element of an input {@code X(t)} is, unless that is one number. */
    enum Kind {
        /** Of the row. */
        ROW,
        /** Of n elements, the same for all rows; of the row where there is one for each. */
        COLUMN,
        /** The one of this row, whatever {@code t} is. */
        EACH,
        /** The one at {@code t} among all. */
        ANY
    }

    /**
     * An input.
     *
     * @param macro its name
     */
    record Input(String macro, Kind kind) {
        /** {@return the name of the parameter} */
        String parameter() {
            return macro.toLowerCase(Locale.ROOT);
        }
    }

    static {
        softmax();
        layers();
        losses();
        tables();
    }

    private static void softmax() {
        String all =
                """
                C top = largest([&](unsigned t) { return X(t); }, n);
                C all = sum([&](unsigned t) { return F(exp)(X(t) - top); }, n);
                """;
        put("softmax", "X:ROW", all + "EACH(t) { Y(t, F(exp)(X(t) - top) / all); }\n");
        put(
                "log_softmax",
                "X:ROW",
                all + "C shift = top + F(log)(all);\nEACH(t) { Y(t, X(t) - shift); }\n");
        put(
                "softmax_gradient",
                "G:ROW OUT:ROW",
                """
                C dot = sum([&](unsigned t) { return G(t) * OUT(t); }, n);
                EACH(t) { Y(t, OUT(t) * (G(t) - dot)); }
                """);
        put(
                "log_softmax_gradient",
                "G:ROW OUT:ROW",
                """
                C all = sum([&](unsigned t) { return G(t); }, n);
                EACH(t) { Y(t, G(t) - F(exp)(OUT(t)) * all); }
                """);
    }

    private static void layers() {
        String statistics =
                """
                C mean = sum([&](unsigned t) { return X(t); }, n) / N(n);
                C spread = sum([&](unsigned t) { C d = X(t) - mean; return d * d; }, n) / N(n);
                C inverse = N(1) / F(sqrt)(spread + EPS(0));
                """;
        put(
                "layer_norm",
                "X:ROW WEIGHT:COLUMN BIAS:COLUMN EPS:EACH",
                statistics + "EACH(t) { Y(t, (X(t) - mean) * inverse * WEIGHT(t) + BIAS(t)); }\n");
        put(
                "layer_norm_gradient",
                "G:ROW X:ROW WEIGHT:COLUMN EPS:EACH",
                statistics
                        + """
                        Two sums = sum_two([&](unsigned t) {
                            C flow = G(t) * WEIGHT(t);
                            return Two {flow, flow * ((X(t) - mean) * inverse)};
                        }, n);
                        C even = sums.x / N(n), along = sums.y / N(n);
                        EACH(t) {
                            C scaled = (X(t) - mean) * inverse;
                            Y(t, (G(t) * WEIGHT(t) - even - scaled * along) * inverse);
                        }
                        """);
    }

    private static void losses() {
        put(
                "nll_loss",
                "X:ANY LABEL:EACH IGNORED:EACH FACTOR:EACH CLASSES:EACH",
                """
                EACH(t) {
                    bool counts = LABEL(t) != IGNORED(t);
                    unsigned place = counts ? row * (unsigned) CLASSES(t) + (unsigned) LABEL(t) : 0;
                    Y(t, (counts ? -X(place) : N(0)) * FACTOR(t));
                }
                """);
        put(
                "nll_loss_gradient",
                "G:EACH LABEL:EACH IGNORED:EACH FACTOR:EACH",
                """
                long long chosen = LABEL(0);
                C each = chosen != IGNORED(0) ? -G(0) * FACTOR(0) : N(0);
                EACH(t) { Y(t, chosen == t ? each : N(0)); }
                """);
    }

    private static void tables() {
        ALL.put(
                "take_rows",
                new RowSteps(
                        inputs("TABLE:ANY INDEX:EACH"),
                        -1,
                        true,
                        """
                        unsigned from = (unsigned) INDEX(0) * n;
                        EACH(t) { Y(t, TABLE(from + t)); }
                        """));
        ALL.put(
                "add_rows",
                new RowSteps(
                        inputs("TERMS:ANY TARGET:EACH START:ANY ORDER:ANY MEAN:EACH"),
                        1,
                        false,
                        """
                        unsigned to = (unsigned) TARGET(0) * n;
                        unsigned begin = (unsigned) START(row), end = (unsigned) START(row + 1);
                        C factor = MEAN(0) != 0 ? N(1) / N(end - begin) : N(1);
                        EACH(t) {
                            C total = N(0);
                            for (unsigned i = begin; i < end; i++) {
                                total += TERMS((unsigned) ORDER(i) * n + t);
                            }
                            PUT(to + t, total * factor);
                        }
                        """));
    }

    private static void put(String name, String inputs, String text) {
        ALL.put(name, new RowSteps(inputs(inputs), -1, false, text));
    }

    private static List<Input> inputs(String text) {
        return Arrays.stream(text.split(" "))
                .map(input -> input.split(":"))
                .map(parts -> new Input(parts[0], Kind.valueOf(parts[1])))
                .toList();
    }

    /** {@return whether there is a kernel for results of a type} */
    static boolean has(String name, ElementType type) {
        RowSteps steps = ALL.get(name);
        return steps != null && (type.isFloating() || steps.wholeNumbers);
    }

    /** {@return the steps of a kernel that there is} */
    static RowSteps of(String name) {
        RowSteps steps = ALL.get(name);
        if (steps == null) {
            throw new IllegalArgumentException("there is no kernel " + name);
        }
        return steps;
    }
}
