package org.gradwire.launcher.console;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Records the lines and progress texts. */
final class RecordingSink implements LineSink {
    final List<String> lines = new ArrayList<>();
    final List<String> progress = new ArrayList<>();

    @Override
    public void line(byte[] text, int length) {
        lines.add(new String(text, 0, length, StandardCharsets.UTF_8));
    }

    @Override
    public void progress(byte[] text, int length) {
        progress.add(new String(text, 0, length, StandardCharsets.UTF_8));
    }
}
