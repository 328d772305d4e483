package org.gradwire.runtime.classes;

import java.util.Optional;

/** Converts paths of class files to names of classes. */
final class ClassNames {
    private static final String SUFFIX = ".class";

    private ClassNames() {}

    /** {@return the name of the class in a file; empty if the file contains none} */
    static Optional<String> ofFile(String path) {
        if (!path.endsWith(SUFFIX)
                || path.startsWith("META-INF/")
                || path.endsWith("-info.class")) {
            return Optional.empty();
        }
        return Optional.of(path.substring(0, path.length() - SUFFIX.length()).replace('/', '.'));
    }
}
