package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The steps of kernels that draw by given weights. Those with a key draw as {@link RandomSteps} do,
 * a number for each row, in float64 for all types.
 */
final class SamplingSteps {
    private static final String PART =
            "double part = (double) (one >> 11) / (double) (1ull << 53);\n";

    private SamplingSteps() {}

    static Map<String, RowSteps> all() {
        return Map.of(
                "bernoulli", drawing("KEY:EACH X:ROW", PART + bernoulli()),
                "multinomial",
                        drawing("KEY:EACH ENDS:ANY X:ANY SIZE:EACH DRAWS:EACH", PART + search()),
                "waiting_times", drawing("KEY:EACH X:ROW", waitingTimes()),
                "count_positive", positive(),
                "running_shares", shares(),
                "least_indices", least());
    }

    private static RowSteps drawing(String inputs, String text) {
        return new RowSteps(
                RowSteps.inputs(inputs), RowSteps.RESULT, true, true, RandomSteps.PHILOX + text);
    }

    private static RowSteps steps(String inputs, int rowsOf, String text) {
        return new RowSteps(RowSteps.inputs(inputs), rowsOf, true, text);
    }

    private static String bernoulli() {
        return "EACH(t) { Y(t, part < (double) X(t) ? N(1) : N(0)); }\n";
    }

    // The first element that ends above the number, among the ends of its weights. Rounded sums may
    // rise at a weight of 0, which is never drawn.
    private static String search() {
        return """
        unsigned width = (unsigned) SIZE(0), low = 0, high = width - 1;
        unsigned begin = row / (unsigned) DRAWS(0) * width;
        double wanted = part * ENDS(begin + high);
        while (low < high) {
            unsigned middle = (low + high) / 2;
            if (ENDS(begin + middle) > wanted) { high = middle; } else { low = middle + 1; }
        }
        while (low > 0 && !(X(begin + low) > 0)) { low--; }
        PUT(row, low)
        """;
    }

    // Logarithms of exponentially distributed numbers with the weights as rates.
    private static String waitingTimes() {
        return """
        double part = ((double) (one >> 11) + 1) / (double) (1ull << 53);
        EACH(t) {
            double rate = X(t);
            Y(t, rate > 0 ? F(log)(-F(log)(N(part))) - F(log)(N(rate)) : INFINITE);
        }
        """;
    }

    /** The number of positive weights in a row; -1 if one is negative, infinite or NaN. */
    private static RowSteps positive() {
        return steps(
                "X:ROW",
                RowSteps.RESULTS,
                """
                C known = sum([&](unsigned t) { return N(X(t) > 0); }, n);
                C refused = sum([&](unsigned t) {
                    auto next = X(t);
                    return N(!(next >= 0 && next - next == 0));
                }, n);
                if (threadIdx.x == 0) { PUT(row, refused > 0 ? N(-1) : known) }
                """);
    }

    /** Running sums of weights, divided by the largest, so that the sums are finite. */
    private static RowSteps shares() {
        return steps(
                "X:ROW",
                RowSteps.RESULT,
                """
                C top = largest([&](unsigned t) { return (C) X(t); }, n);
                C before = N(0);
                for (unsigned first = 0; first < n; first += blockDim.x) {
                    unsigned t = first + threadIdx.x;
                    C all;
                    C mine = scanned(t < n ? (C) X(t) / top : N(0), all);
                    if (t < n) { Y(t, before + mine); }
                    before += all;
                }
                """);
    }

    /** The indices of the least elements of each row of ALL, in order; a row is one element. */
    private static RowSteps least() {
        return steps(
                "X:EACH ALL:ANY TAKEN:EACH",
                0,
                """
                unsigned place = row % n, group = row / n;
                auto mine = X(0);
                C rank = sum([&](unsigned t) {
                    auto other = ALL(group * n + t);
                    return N(other < mine || (other == mine && t < place));
                }, n);
                if (threadIdx.x == 0 && rank < TAKEN(0)) {
                    PUT(group * (unsigned) TAKEN(0) + (unsigned) rank, place)
                }
                """);
    }
}
