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
 * {@code PUT(i, v)} one at any place. Variables must not be named like the inputs in small letters.
 *
 * @param inputs in order, without the length of a row
 * @param rowsOf the input that has one number for each row, {@link #RESULT} or {@link #RESULTS}
 * @param wholeNumbers whether results may be of an integral type
 * @param oneThread whether a thread computes a row
 */
record RowSteps(
        List<Input> inputs, int rowsOf, boolean wholeNumbers, boolean oneThread, String text) {
    /** The result has all rows. */
    static final int RESULT = -1;

    /** The result has one number for each row. */
    static final int RESULTS = -2;

    private static final Map<String, RowSteps> ALL = new HashMap<>();

    /** The place of {@code X(t)} in an input, unless that is one number. */
    enum Kind {
        /** Element {@code t} of the row. */
        ROW,
        /** Element {@code t} of n for all rows, or of the row where each has its elements. */
        COLUMN,
        /** The one of this row, whatever {@code t} is. */
        EACH,
        /** The one at {@code t} among all. */
        ANY,
        /** {@code X(t, more)}: a number of places in memory after that of the row. */
        FROM
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

    RowSteps(List<Input> inputs, int rowsOf, boolean wholeNumbers, String text) {
        this(inputs, rowsOf, wholeNumbers, false, text);
    }

    static {
        softmax();
        layers();
        channels();
        tables();
        extremes();
        scans();
        ALL.putAll(LabelSteps.all());
        ALL.putAll(WindowSteps.all());
        ALL.putAll(RandomSteps.all());
        ALL.putAll(SamplingSteps.all());
        ALL.putAll(MaskSteps.all());
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

    /**
     * Planes of images as rows, with numbers of their channels. These are read once: the compiler
     * does not know that results are elsewhere.
     */
    private static void channels() {
        put("spread", "X:EACH", "C number = X(0);\nEACH(t) { Y(t, number); }\n");
        put(
                "normalize",
                "X:ROW MEAN:EACH FACTOR:EACH SHIFT:EACH",
                """
                C center = MEAN(0), scale = FACTOR(0), added = SHIFT(0);
                EACH(t) { Y(t, (X(t) - center) * scale + added); }
                """);
        put(
                "normalize_gradient",
                "G:ROW FACTOR:EACH X:ROW MEAN:EACH SLOPE:EACH SHIFT:EACH",
                """
                C scale = FACTOR(0), center = MEAN(0), along = SLOPE(0), added = SHIFT(0);
                EACH(t) { Y(t, G(t) * scale + (X(t) - center) * along + added); }
                """);
        sums("centered_squares", "X:ROW MEAN:EACH", "C d = X(t) - center; return d * d;");
        sums("centered_products", "X:ROW MEAN:EACH G:ROW", "return (X(t) - center) * G(t);");
    }

    private static void sums(String name, String inputs, String term) {
        String text =
                """
                C center = MEAN(0);
                C one = sum([&](unsigned t) { TERM }, n);
                if (threadIdx.x == 0) { PUT(row, one); }
                """;
        ALL.put(name, new RowSteps(inputs(inputs), RESULTS, false, text.replace("TERM", term)));
    }

    private static void tables() {
        putAll(
                "take_rows",
                RESULT,
                "TABLE:ANY INDEX:EACH",
                """
                unsigned from = (unsigned) INDEX(0) * n;
                EACH(t) { Y(t, TABLE(from + t)); }
                """);
        putAll(
                "gather",
                RESULT,
                "X:FROM INDEX:ROW STRIDE:EACH",
                "EACH(t) { Y(t, X(t, INDEX(t) * STRIDE(t))); }\n");
        ALL.put(
                "add_rows",
                new RowSteps(
                        inputs("TERMS:ANY TARGET:EACH START:ANY ORDER:ANY MEAN:EACH"),
                        1,
                        true,
                        """
                        unsigned to = (unsigned) TARGET(0) * n;
                        unsigned begin = (unsigned) START(row), end = (unsigned) START(row + 1);
                        C factor = MEAN(0) != 0 ? N(1) / N(end - begin) : N(1);
                        EACH(t) {
                            C total = TERMS((unsigned) ORDER(begin) * n + t);
                            for (unsigned i = begin + 1; i < end; i++) {
                                total += TERMS((unsigned) ORDER(i) * n + t);
                            }
                            PUT(to + t, total * factor);
                        }
                        """));
    }

    private static void extremes() {
        String row = "[&](unsigned t) { return X(t); }, n";
        String put = "if (threadIdx.x == 0) { PUT(row, one); }\n";
        putAll("row_max", RESULTS, "X:ROW", "C one = largest(" + row + ");\n" + put);
        putAll("row_min", RESULTS, "X:ROW", "C one = smallest(" + row + ");\n" + put);
        putAll("row_mul", RESULTS, "X:ROW", "C one = product(" + row + ");\n" + put);
        putAll(
                "row_index",
                RESULTS,
                "X:ROW WANTED:EACH",
                """
                auto value = WANTED(0);
                unsigned mine = n;
                EACH(t) {
                    auto next = X(t);
                    bool same = next == value || (next != next && value != value);
                    mine = same && t < mine ? t : mine;
                }
                unsigned one = joined(mine, [](unsigned x, unsigned y) { return x < y ? x : y; });
                """
                        + put);
    }

    private static void scans() {
        putAll(
                "cumulative_sum",
                RESULT,
                "X:ROW BACKWARDS:EACH",
                """
                C before = N(0);
                for (unsigned first = 0; first < n; first += blockDim.x) {
                    unsigned t = first + threadIdx.x;
                    unsigned place = t >= n ? 0 : BACKWARDS(0) ? n - 1 - t : t;
                    C all;
                    C mine = scanned(t < n ? (C) X(place) : N(0), all);
                    if (t < n) { Y(place, before + mine); }
                    before += all;
                }
                """);
        String corner = "long long edge = (long long) (row % (unsigned) LINES(0)) + DIAGONAL(0);\n";
        putAll(
                "tril",
                RESULT,
                "X:ROW DIAGONAL:EACH LINES:EACH",
                corner + "EACH(t) { Y(t, (long long) t <= edge ? (C) X(t) : N(0)); }\n");
        putAll(
                "triu",
                RESULT,
                "X:ROW DIAGONAL:EACH LINES:EACH",
                corner + "EACH(t) { Y(t, (long long) t >= edge ? (C) X(t) : N(0)); }\n");
    }

    private static void put(String name, String inputs, String text) {
        ALL.put(name, new RowSteps(inputs(inputs), RESULT, false, text));
    }

    /** Put a kernel for results of all types. */
    private static void putAll(String name, int rowsOf, String inputs, String text) {
        ALL.put(name, new RowSteps(inputs(inputs), rowsOf, true, text));
    }

    /** {@return inputs, each by its name and its kind} */
    static List<Input> inputs(String text) {
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
