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
                "bag_gradient",
                steps(
                        "G:ANY TARGET:EACH START:ANY ORDER:ANY BAGS:ANY FACTOR:ANY",
                        1,
                        """
                        unsigned to = (unsigned) TARGET(0) * n;
                        unsigned begin = (unsigned) START(row), end = (unsigned) START(row + 1);
                        EACH(t) {
                            C total = N(0);
                            for (unsigned i = begin; i < end; i++) {
                                unsigned from = (unsigned) ORDER(i);
                                total += G((unsigned) BAGS(from) * n + t) * (C) FACTOR(from);
                            }
                            PUT(to + t, total);
                        }
                        """));
    }

    private static RowSteps steps(String inputs, int rowsOf, String text) {
        return new RowSteps(RowSteps.inputs(inputs), rowsOf, true, text);
    }
}
