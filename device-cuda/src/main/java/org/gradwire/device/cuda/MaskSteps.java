package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The steps of kernels that select elements by a mask. A row is a chunk of the mask, whose elements
 * go to the places from the last end on: the running sum of the set elements up to a chunk.
 */
final class MaskSteps {
    // WRITE uses the place of an element among the set ones, if it is set.
    private static final String PLACES =
            """
            unsigned elements = (unsigned) COUNT(0);
            unsigned before = row == 0 ? 0 : (unsigned) ENDS(row - 1);
            for (unsigned first = 0; first < n; first += blockDim.x) {
                unsigned t = first + threadIdx.x, from = row * n + t;
                bool inside = t < n && from < elements;
                bool chosen = inside && MASK(from);
                C all;
                unsigned place = before + (unsigned) scanned(N(chosen), all) - 1;
                WRITE
                before += (unsigned) all;
            }
            """;

    private MaskSteps() {}

    static Map<String, RowSteps> all() {
        return Map.of(
                "count_set", count(),
                "compress",
                        placing(
                                "X:ANY MASK:ANY ENDS:ANY COUNT:EACH",
                                2,
                                "if (chosen) { PUT(place, X(from)) }"),
                "expand",
                        placing(
                                "G:ANY MASK:ANY ENDS:ANY COUNT:EACH",
                                2,
                                "if (inside) { PUT(from, chosen ? (C) G(place) : N(0)) }"),
                "set_indices",
                        placing(
                                "MASK:ANY ENDS:ANY EXTENTS:ANY DIMS:EACH COUNT:EACH",
                                1,
                                """
                                unsigned rest = from;
                                for (int d = chosen ? (int) DIMS(0) - 1 : -1; d >= 0; d--) {
                                    unsigned extent = (unsigned) EXTENTS(d);
                                    PUT(place * (unsigned) DIMS(0) + d, rest % extent)
                                    rest /= extent;
                                }
                                """));
    }

    private static RowSteps count() {
        return new RowSteps(
                RowSteps.inputs("MASK:ANY COUNT:EACH"),
                RowSteps.RESULTS,
                true,
                """
                unsigned elements = (unsigned) COUNT(0);
                C one = sum([&](unsigned t) {
                    unsigned from = row * n + t;
                    return N(from < elements && MASK(from));
                }, n);
                if (threadIdx.x == 0) { PUT(row, one) }
                """);
    }

    /** {@return steps with a chunk for each of the ends} */
    private static RowSteps placing(String inputs, int ends, String write) {
        return new RowSteps(RowSteps.inputs(inputs), ends, true, PLACES.replace("WRITE", write));
    }
}
