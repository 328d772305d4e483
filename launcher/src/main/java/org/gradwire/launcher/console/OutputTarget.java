package org.gradwire.launcher.console;

import java.io.IOException;
import java.io.OutputStream;

/**
 * One of the launcher's own output streams.
 *
 * @param stream stream to write to, unbuffered
 * @param terminal whether it is a terminal, where a line can be redrawn
 * @param colored whether names may be colored
 */
public record OutputTarget(OutputStream stream, boolean terminal, boolean colored) {

    void write(byte[] bytes, int length) throws IOException {
        stream.write(bytes, 0, length);
    }
}
