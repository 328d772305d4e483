package org.gradwire.bench.recovery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The number of the newest step of a training, in a file that the first worker replaces after each
 * step. It remains when all workers have ended.
 */
record NewestStep(Path file) {

    /** {@return the number; 0 before the first step} */
    long read() {
        try {
            return Files.exists(file) ? Long.parseLong(Files.readString(file)) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replace the number at once, so that a worker that is killed meanwhile leaves either one. */
    void write(long step) {
        Path next = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            Files.writeString(next, Long.toString(step));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
