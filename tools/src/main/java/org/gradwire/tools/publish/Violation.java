package org.gradwire.tools.publish;

import java.nio.file.Path;

/**
 * A requirement that a bundle violates.
 *
 * @param file the file it concerns, below the bundle's folder
 * @param expected what was expected, and what is there
 * @param remedy what to do
 */
record Violation(Path file, String expected, String remedy) {

    /** {@return one sentence} */
    @Override
    public String toString() {
        return "%s: expected %s; %s".formatted(file, expected, remedy);
    }
}
