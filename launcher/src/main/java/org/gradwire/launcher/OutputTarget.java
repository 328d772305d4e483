package org.gradwire.launcher;

import java.io.IOException;
import java.io.OutputStream;

/**
 * One of the launcher's own output streams.
 *
 * @param stream where to write, unbuffered
 * @param terminal whether a person sees it at once, so that a line may be redrawn
 * @param colored whether names may be colored
 */
record OutputTarget(OutputStream stream, boolean terminal, boolean colored) {

    void write(byte[] bytes, int length) throws IOException {
        stream.write(bytes, 0, length);
    }
}
