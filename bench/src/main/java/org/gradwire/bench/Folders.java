package org.gradwire.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Temporary folders. */
final class Folders {

    private Folders() {}

    /** Delete a folder and the files in it. */
    static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
