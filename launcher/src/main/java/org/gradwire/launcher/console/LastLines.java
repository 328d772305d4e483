package org.gradwire.launcher.console;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines of a stream, for failure reports. Thread-safe. */
public final class LastLines implements LineSink {
    private static final int MAX_LINES = 30;
    private static final int MAX_BYTES = 2000;

    private final Deque<String> lines = new ArrayDeque<>();

    @Override
    public synchronized void line(byte[] text, int length) {
        if (lines.size() == MAX_LINES) {
            lines.removeFirst();
        }
        lines.addLast(new String(text, 0, Math.min(length, MAX_BYTES), StandardCharsets.UTF_8));
    }

    /** {@return the lines, the oldest first} */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
