package org.gradwire.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files of a task, in a folder that only the executor's user can enter. */
record TaskFolder(Path path) implements AutoCloseable {

    /** Create a folder in another. */
    static TaskFolder create(Path parent) throws IOException {
        return new TaskFolder(Files.createTempDirectory(parent, "gradwire-"));
    }

    /** {@return the file with the rows for the worker} */
    Path partition() {
        return path.resolve("partition.arrow");
    }

    /** {@return the file with the rows of the worker} */
    Path result() {
        return path.resolve("result.arrow");
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(path);
    }
}
