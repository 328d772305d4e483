package org.gradwire.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Ends a run's workers when the launcher is gone without having done so, as after {@code kill -9}.
 *
 * <p>A shell beside the launcher reads from it which workers live; when its input ends before it
 * was told that all have ended, it asks them to end, kills what is left half a second later and
 * deletes the run's directory. The workers know nothing of it. Used by the group's thread.
 */
final class LauncherWatch implements AutoCloseable {
    private static final String SCRIPT = "launcher-watch.sh";
    private static final String ALL_HAVE_ENDED = "done";

    private final OutputStream shell;

    private LauncherWatch(OutputStream shell) {
        this.shell = shell;
    }

    /**
     * Start to watch, before the first worker.
     *
     * @param directory what the shell deletes with the workers
     */
    static LauncherWatch start(String runId, Path directory) throws IOException {
        String marker = RunMarker.VARIABLE + "=" + runId;
        var builder =
                new ProcessBuilder("/bin/sh", "-c", script(), SCRIPT, marker, directory.toString());
        builder.environment().remove(GroupToken.VARIABLE);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return new LauncherWatch(builder.start().getOutputStream());
    }

    private static String script() throws IOException {
        try (InputStream stream = LauncherWatch.class.getResourceAsStream(SCRIPT)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Say which workers live now. */
    void tell(List<WorkerProcess> living) {
        write(
                living.stream()
                        .map(worker -> Long.toString(worker.pid()))
                        .collect(Collectors.joining(" ")));
    }

    private void write(String line) {
        try {
            shell.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            shell.flush();
        } catch (IOException _) {
            // Somebody has killed the shell. The workers do without it.
        }
    }

    /** All workers have ended. */
    @Override
    public void close() {
        write(ALL_HAVE_ENDED);
        try {
            shell.close();
        } catch (IOException _) {
            // As above.
        }
    }
}
