package org.gradwire.tensor.io;

import java.io.IOException;
import java.nio.file.Path;

/** A file that is not in the safetensors format, or has unsupported content. */
public final class SafeTensorsException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Create an exception.
     *
     * @param file named in the message
     * @param problem the value found, the expected one, and the remedy
     */
    public SafeTensorsException(Path file, String problem) {
        this(file.toString(), problem);
    }

    SafeTensorsException(String source, String problem) {
        super(source + ": " + problem);
    }
}
