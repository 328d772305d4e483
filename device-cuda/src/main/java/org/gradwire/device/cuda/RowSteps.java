package org.gradwire.device.cuda;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The steps of a kernel of rows, in CUDA C++. Macros named like the inputs read these: {@code X(t)}
 * the element {@code t} of the row, of {@code n}. {@code Y(t, v)} writes one of the result, and
 * {@code PUT(i, v)} one at any place. Variables must not be named like the inputs in small letters.
 *
 * @param inputs in order, without the length of a row
 * @param rowsOf the input that has one number for each row, or is their number; {@link #RESULT} or
 *     {@link #RESULTS}
 * @param wholeNumbers whether results may be of an integral type
 * @param oneThread whether a thread computes a row
 */
record RowSteps(
        List<Input> inputs, int rowsOf, boolean wholeNumbers, boolean oneThread, String text) {
    /** The result has all rows. */
    static final int RESULT = -1;

    /** The result has one number for each row. */
    static final int RESULTS = -2;

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

    /** {@return inputs, each by its name and its kind} */
    static List<Input> inputs(String text) {
        return Arrays.stream(text.split(" "))
                .map(input -> input.split(":"))
                .map(parts -> new Input(parts[0], Kind.valueOf(parts[1])))
                .toList();
    }
}
