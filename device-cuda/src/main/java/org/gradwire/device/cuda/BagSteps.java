package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The steps of kernels that look up bags of rows of a table, and of their gradients. {@code INDEX}
 * has the row of each place, and the places of bag {@code i} are from {@code START(i)} on.
 */
final class BagSteps {
    private BagSteps() {}

    static Map<String, RowSteps> all() {
        return Map.of(
                "bag_sum",
                steps(
                        "TABLE:ANY INDEX:ANY START:ANY FACTOR:ANY",
                        RowSteps.RESULT,
                        """
                        unsigned begin = (unsigned) START(row), end = (unsigned) START(row + 1);
                        EACH(t) {
                            C total = N(0);
                            for (unsigned i = begin; i < end; i++) {
                                total += TABLE((unsigned) INDEX(i) * n + t) * (C) FACTOR(i);
                            }
                            Y(t, total);
                        }
                        """),
                // Of equal numbers the first; a number after NaN is not above it.
                "bag_largest",
                steps(
                        "TABLE:ANY INDEX:ANY START:ANY",
                        RowSteps.RESULT,
                        """
                        unsigned begin = (unsigned) START(row), end = (unsigned) START(row + 1);
                        EACH(t) {
                            C chosen = begin < end ? (C) INDEX(begin) : N(-1);
                            for (unsigned i = begin + 1; i < end; i++) {
                                C other = (C) INDEX(i);
                                if (TABLE((unsigned) other * n + t) > TABLE((unsigned) chosen * n + t)) {
                                    chosen = other;
                                }
                            }
                            Y(t, chosen);
                        }
                        """),
                "bag_of_each",
                steps(
                        "START:ANY BAGS:EACH",
                        1,
                        """
                        unsigned begin = (unsigned) START(row), end = (unsigned) START(row + 1);
                        for (unsigned i = begin + threadIdx.x; i < end; i += blockDim.x) {
                            PUT(i, (long long) row)
                        }
                        """),
                // Of the places of an index, which are adjacent in their order, the first adds all.
                "bag_gradient",
                steps(
                        "G:ANY PLACES:EACH INDEX:ANY ORDER:ANY BAGS:ANY FACTOR:ANY",
                        1,
                        """
                        unsigned count = (unsigned) PLACES(0);
                        auto index_at = [&](unsigned i) { return (unsigned) INDEX(ORDER(i)); };
                        unsigned to = index_at(row);
                        if (row == 0 || index_at(row - 1) != to) {
                            unsigned end = row + 1, high = end; // a search whose steps double
                            while (high < count && index_at(high) == to) {
                                end = high + 1;
                                high += high - row;
                            }
                            high = min(high, count);
                            while (end < high) {
                                unsigned half = (end + high) / 2;
                                if (index_at(half) == to) { end = half + 1; } else { high = half; }
                            }
                            EACH(t) {
                                C total = N(0);
                                for (unsigned i = row; i < end; i++) {
                                    unsigned from = (unsigned) ORDER(i);
                                    total += G((unsigned) BAGS(from) * n + t) * (C) FACTOR(from);
                                }
                                PUT(to * n + t, total)
                            }
                        }
                        """));
    }

    private static RowSteps steps(String inputs, int rowsOf, String text) {
        return new RowSteps(RowSteps.inputs(inputs), rowsOf, true, text);
    }
}
