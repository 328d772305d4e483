package org.gradwire.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates and deletes temporary directories. */
final class TemporaryDirectories {

    private TemporaryDirectories() {}

    /** Delete a directory and its files. */
    static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
