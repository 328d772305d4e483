package org.gradwire.tensor.io;

import java.util.Map;

/**
 * The header of a file.
 *
 * @param entries by the names of the tensors, in the order of the file
 * @param metadata texts of the program that wrote it
 */
record Header(Map<String, Entry> entries, Map<String, String> metadata) {
    /** The key of the metadata; no tensor can have this name. */
    static final String METADATA = "__metadata__";

    /** Maximum length of a header, that of the reference implementation. */
    static final int MAX_BYTES = 100_000_000;

    /**
     * The header's entry of one tensor.
     *
     * @param format the name of the element type
     * @param begin offset of its bytes, from the end of the header
     * @param end offset of their end
     */
    record Entry(String format, long[] shape, long begin, long end) {}
}
