package org.gradwire.tensor.io;

import java.io.IOException;
import java.nio.file.Path;

/** A file that is not in the safetensors format, or holds what cannot be read here. */
public final class SafeTensorsException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Create an exception.
     *
     * @param file named in the message
     * @param problem what was found, what was expected and what to do
     */
    public SafeTensorsException(Path file, String problem) {
        super(file + ": " + problem);
    }
}
