package org.gradwire.device.cuda;

import java.util.Map;

/** The steps of kernels that take or put a number at the label of each row. */
final class LabelSteps {
    private LabelSteps() {}

    static Map<String, RowSteps> all() {
        return Map.of(
                "nll_loss",
                steps(
                        "X:ANY LABEL:EACH WEIGHT:ANY IGNORED:EACH FACTOR:EACH CLASSES:EACH INNER:EACH",
                        """
                        EACH(t) {
                            long long chosen = LABEL(t);
                            bool counts = chosen != IGNORED(t);
                            unsigned apart = (unsigned) INNER(t); // from a class to the next
                            unsigned begin = row / apart * (unsigned) CLASSES(t);
                            unsigned place = (begin + (unsigned) chosen) * apart + row % apart;
                            Y(t, (counts ? -X(place) * WEIGHT(chosen) : N(0)) * FACTOR(t));
                        }
                        """),
                "nll_loss_gradient",
                steps(
                        "G:EACH LABEL:EACH WEIGHT:ANY IGNORED:EACH FACTOR:EACH",
                        """
                        long long chosen = LABEL(0);
                        C each = chosen != IGNORED(0) ? G(0) * WEIGHT(chosen) * FACTOR(0) : N(0);
                        EACH(t) { Y(t, chosen == t ? each : N(0)); }
                        """),
                "place",
                steps(
                        "G:EACH INDEX:EACH IGNORED:EACH FACTOR:EACH",
                        """
                        long long chosen = INDEX(0);
                        C each = chosen != IGNORED(0) ? G(0) * FACTOR(0) : N(0);
                        EACH(t) { Y(t, chosen == t ? each : N(0)); }
                        """));
    }

    private static RowSteps steps(String inputs, String text) {
        return new RowSteps(RowSteps.inputs(inputs), RowSteps.RESULT, false, text);
    }
}
