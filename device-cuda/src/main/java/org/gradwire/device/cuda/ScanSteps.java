package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The steps of kernels of running sums and products of rows. Those of floating-point numbers are
 * computed in float64, {@code W}, as on the host. Rows of {@code SIZE} are divided into chunks of n
 * where rows are few: the total of each chunk comes first, then the chunks start from the totals.
 */
final class ScanSteps {
    private static final String JOIN = "auto join = [](W x, W y) { return x JOIN y; };\n";

    // A thread joins four elements before it waits for the others.
    private static final String SCAN =
            """
            for (unsigned first = 0; first < limit; first += blockDim.x * 4) {
                W upto[4];
                W mine = NONE;
                for (unsigned k = 0; k < 4; k++) {
                    unsigned t = first + threadIdx.x * 4 + k;
                    if (t < limit) { mine = join(mine, (W) X(PLACE)); }
                    upto[k] = mine;
                }
                W all;
                W start = join(before, preceding(mine, all, join, (W) NONE));
                for (unsigned k = 0; k < 4; k++) {
                    unsigned t = first + threadIdx.x * 4 + k;
                    if (t < limit) { WRITE((PLACE), (C) join(start, upto[k])); }
                }
                before = join(before, all);
            }
            """;

    private static final String ROW =
            JOIN
                    + "unsigned limit = n;\nW before = NONE;\n"
                    + SCAN.replace("PLACE", "BACKWARDS(0) ? n - 1 - t : t").replace("WRITE", "Y");

    private static final String CHUNK =
            """
            unsigned whole = (unsigned) SIZE(0), chunks = (whole + n - 1) / n;
            unsigned line = row / chunks * whole, begin = row % chunks * n;
            unsigned limit = min(n, whole - begin), last = line + whole - 1 - begin;
            """;

    private static final String PLACE_OF_CHUNK = "BACKWARDS(0) ? last - t : line + begin + t";

    private static final String TOTAL =
            JOIN
                    + CHUNK
                    + """
                    W total = NONE;
                    EACH(t) { if (t < limit) { total = join(total, (W) X(PLACE)); } }
                    total = joined(total, join);
                    if (threadIdx.x == 0) { PUT(row, total) }
                    """
                            .replace("PLACE", PLACE_OF_CHUNK);

    private static final String FROM =
            JOIN
                    + CHUNK
                    + "W before = begin > 0 ? (W) TOTALS(row - 1) : (W) NONE;\n"
                    + SCAN.replace("PLACE", PLACE_OF_CHUNK).replace("WRITE", "PUT");

    // The gradient of an element is the product of those before it times a flow, which is that of
    // the next element times this element, plus a gradient: a scan of affine maps from the end.
    private static final String PRODUCT_GRADIENT =
            """
            struct Map { double factor, term; };
            auto join = [](Map x, Map y) {
                return Map {x.factor * y.factor, x.term * y.factor + y.term};
            };
            double flow = 0;
            for (unsigned first = 0; first < n; first += blockDim.x) {
                unsigned i = first + threadIdx.x, t = i < n ? n - 1 - i : 0;
                Map mine = {1, 0}, all;
                if (i < n) { mine = {t + 1 < n ? (double) X(t + 1) : 0, (double) G(t)}; }
                Map upto = join(preceding(mine, all, join, Map {1, 0}), mine);
                if (i < n) {
                    double others = t > 0 ? (double) PRODUCT(t - 1) : 1;
                    Y(t, (C) (others * (upto.factor * flow + upto.term)));
                }
                flow = all.factor * flow + all.term;
            }
            """;

    private ScanSteps() {}

    static Map<String, RowSteps> all() {
        return Map.of(
                "cumulative_sum", sum("X:ROW BACKWARDS:EACH", RowSteps.RESULT, ROW),
                "cumulative_product", product("X:ROW BACKWARDS:EACH", RowSteps.RESULT, ROW),
                "chunk_sum", sum("X:ANY BACKWARDS:EACH SIZE:EACH", RowSteps.RESULTS, TOTAL),
                "chunk_product", product("X:ANY BACKWARDS:EACH SIZE:EACH", RowSteps.RESULTS, TOTAL),
                "chunked_sum", sum("X:ANY TOTALS:ANY BACKWARDS:EACH SIZE:EACH", 1, FROM),
                "chunked_product", product("X:ANY TOTALS:ANY BACKWARDS:EACH SIZE:EACH", 1, FROM),
                "cumulative_product_gradient",
                        new RowSteps(
                                RowSteps.inputs("G:ROW X:ROW PRODUCT:ROW"),
                                RowSteps.RESULT,
                                false,
                                PRODUCT_GRADIENT));
    }

    private static RowSteps sum(String inputs, int rowsOf, String text) {
        return steps(inputs, rowsOf, text, "+", "N(0)");
    }

    private static RowSteps product(String inputs, int rowsOf, String text) {
        return steps(inputs, rowsOf, text, "*", "N(1)");
    }

    private static RowSteps steps(
            String inputs, int rowsOf, String text, String join, String none) {
        return new RowSteps(
                RowSteps.inputs(inputs),
                rowsOf,
                true,
                text.replace("JOIN", join).replace("NONE", none));
    }
}
