package org.gradwire.tensor.io;

import java.util.Map;

/**
 * What the header of a file says.
 *
 * @param entries by the names of the tensors, in the order of the file
 * @param metadata texts of the program that wrote it
 */
record Header(Map<String, Entry> entries, Map<String, String> metadata) {
    /** The key of the metadata; no tensor can have this name. */
    static final String METADATA = "__metadata__";

    /** Longer headers are refused, by the reference implementation too. */
    static final int MAX_BYTES = 100_000_000;

    /**
     * What the header says of one tensor.
     *
     * @param format the name of the element type
     * @param begin where its bytes begin, counted from the end of the header
     * @param end where they end
     */
    record Entry(String format, long[] shape, long begin, long end) {}
}
