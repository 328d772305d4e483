package org.gradwire.checkpoint;

import java.io.IOException;

/** A checkpoint that could not be saved, is damaged, or does not fit the states to load. */
public final class CheckpointException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Create an exception.
     *
     * @param problem the value found, the expected one, and the remedy
     */
    public CheckpointException(String problem) {
        super(problem);
    }

    CheckpointException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
