package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;

import java.util.HashMap;
import java.util.Map;

/** The steps of all kernels of rows, by their names. */
final class RowStepsTable {
    private static final Map<String, RowSteps> ALL = new HashMap<>();

    static {
        softmax();
        layers();
        channels();
        tables();
        extremes();
        triangles();
        ALL.putAll(LabelSteps.all());
        ALL.putAll(WindowSteps.all());
        ALL.putAll(RandomSteps.all());
        ALL.putAll(SamplingSteps.all());
        ALL.putAll(MaskSteps.all());
        ALL.putAll(ScanSteps.all());
        ALL.putAll(SortSteps.all());
        ALL.putAll(RadixSteps.all());
        ALL.putAll(BagSteps.all());
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
        ALL.put(
                name,
                new RowSteps(
                        RowSteps.inputs(inputs),
                        RowSteps.RESULTS,
                        false,
                        text.replace("TERM", term)));
    }

    private static void tables() {
        putAll(
                "take_rows",
                RowSteps.RESULT,
                "TABLE:ANY INDEX:EACH",
                """
                unsigned from = (unsigned) INDEX(0) * n;
                EACH(t) { Y(t, TABLE(from + t)); }
                """);
        // A thread takes an element, as rows may be few and long.
        ALL.put(
                "gather",
                new RowSteps(
                        RowSteps.inputs("X:FROM INDEX:EACH STRIDE:EACH"),
                        RowSteps.RESULT,
                        true,
                        true,
                        "Y(0, X(0, INDEX(0) * STRIDE(0)));\n"));
        ALL.put(
                "add_rows",
                new RowSteps(
                        RowSteps.inputs("TERMS:ANY TARGET:EACH START:ANY ORDER:ANY MEAN:EACH"),
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
        putAll("row_max", RowSteps.RESULTS, "X:ROW", "C one = largest(" + row + ");\n" + put);
        putAll("row_min", RowSteps.RESULTS, "X:ROW", "C one = smallest(" + row + ");\n" + put);
        putAll("row_mul", RowSteps.RESULTS, "X:ROW", "C one = product(" + row + ");\n" + put);
        putAll(
                "row_index",
                RowSteps.RESULTS,
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

    private static void triangles() {
        String corner = "long long edge = (long long) (row % (unsigned) LINES(0)) + DIAGONAL(0);\n";
        putAll(
                "tril",
                RowSteps.RESULT,
                "X:ROW DIAGONAL:EACH LINES:EACH",
                corner + "EACH(t) { Y(t, (long long) t <= edge ? (C) X(t) : N(0)); }\n");
        putAll(
                "triu",
                RowSteps.RESULT,
                "X:ROW DIAGONAL:EACH LINES:EACH",
                corner + "EACH(t) { Y(t, (long long) t >= edge ? (C) X(t) : N(0)); }\n");
    }

    private static void put(String name, String inputs, String text) {
        ALL.put(name, new RowSteps(RowSteps.inputs(inputs), RowSteps.RESULT, false, text));
    }

    /** Put a kernel for results of all types. */
    private static void putAll(String name, int rowsOf, String inputs, String text) {
        ALL.put(name, new RowSteps(RowSteps.inputs(inputs), rowsOf, true, text));
    }

    private RowStepsTable() {}

    /** {@return whether there is a kernel for results of a type} */
    static boolean has(String name, ElementType type) {
        RowSteps steps = ALL.get(name);
        return steps != null && (type.isFloating() || steps.wholeNumbers());
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
