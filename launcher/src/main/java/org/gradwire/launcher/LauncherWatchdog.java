package org.gradwire.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Ends a run's workers after the launcher itself was killed, as by {@code kill -9}.
 *
 * <p>A shell reads the ids of the living workers from the launcher. If its input ends before {@code
 * done}, it sends the workers SIGTERM, kills the remaining processes half a second later and
 * deletes the run's directory. Confined to the group's thread.
 */
final class LauncherWatchdog implements AutoCloseable {
    private static final String SCRIPT = "launcher-watch.sh";
    private static final String ALL_HAVE_ENDED = "done";

    private final OutputStream shell;

    private LauncherWatchdog(OutputStream shell) {
        this.shell = shell;
    }

    /**
     * Start the shell, before the first worker.
     *
     * @param directory deleted with the workers
     */
    static LauncherWatchdog start(String runId, Path directory) throws IOException {
        String marker = RunMarker.VARIABLE + "=" + runId;
        var builder =
                new ProcessBuilder("/bin/sh", "-c", script(), SCRIPT, marker, directory.toString());
        builder.environment().remove(GroupToken.VARIABLE);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return new LauncherWatchdog(builder.start().getOutputStream());
    }

    private static String script() throws IOException {
        try (InputStream stream = LauncherWatchdog.class.getResourceAsStream(SCRIPT)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Send the ids of the living processes. */
    void update(List<Long> living) {
        write(living.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    private void write(String line) {
        try {
            shell.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            shell.flush();
        } catch (IOException _) {
            // The shell was killed. The workers run without it.
        }
    }

    /** Report that all workers have ended. */
    @Override
    public void close() {
        write(ALL_HAVE_ENDED);
        try {
            shell.close();
        } catch (IOException _) {
            // The shell was killed.
        }
    }
}
