package org.gradwire.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates and deletes temporary directories. */
public final class TemporaryDirectories {

    private TemporaryDirectories() {}

    /** Delete a directory and its files. */
    public static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
