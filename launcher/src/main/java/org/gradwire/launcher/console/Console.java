package org.gradwire.launcher.console;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The launcher's standard output and standard error, shared by all writers.
 *
 * <p>Lines are written whole, in sequence. On a terminal one progress text may follow below them:
 * it is erased before lines are written and drawn again after them.
 *
 * <p>Thread-safe; each call is atomic.
 */
public final class Console {
    private static final byte[] ERASE_LINE = ascii("\r\u001b[K");
    // Without automatic wrapping a text wider than the terminal stays on one line.
    private static final byte[] NO_WRAP = ascii("\r\u001b[?7l");
    private static final byte[] WRAP = ascii("\u001b[0m\u001b[K\u001b[?7h");

    private final OutputTarget out;
    private final OutputTarget err;
    private final CompletableFuture<IOException> broken = new CompletableFuture<>();
    private @Nullable Progress progress;
    private volatile String mark = "";

    /** A progress text on a terminal, and the worker's stream that owns it. */
    private static final class Progress {
        final OutputTarget target;
        final Object owner;
        final byte[] text;

        Progress(OutputTarget target, Object owner, byte[] text) {
            this.target = target;
            this.owner = owner;
            this.text = text;
        }
    }

    /** Share two streams. */
    public Console(OutputTarget out, OutputTarget err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Return the streams of this process. Java cannot detect for each stream whether it is a
     * terminal, so {@code ./gradwire} passes the ones that are in the system property {@code
     * gradwire.terminal}: a list of {@code out} and {@code err}.
     */
    public static Console ofProcess(String terminals, Map<String, String> environment) {
        boolean colored =
                environment.getOrDefault("NO_COLOR", "").isEmpty()
                        && !environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Console(
                target(FileDescriptor.out, terminals.contains("out"), colored),
                target(FileDescriptor.err, terminals.contains("err"), colored));
    }

    private static OutputTarget target(FileDescriptor file, boolean terminal, boolean colored) {
        return new OutputTarget(new FileOutputStream(file), terminal, terminal && colored);
    }

    /** {@return standard output} */
    public OutputTarget out() {
        return out;
    }

    /** {@return standard error} */
    public OutputTarget err() {
        return err;
    }

    /** {@return a future that completes when the reader of one of the streams has closed it} */
    public CompletableFuture<IOException> broken() {
        return broken;
    }

    /** Print a message of the launcher on standard error. */
    public void message(String text) {
        if (mark.isEmpty()) {
            print(text);
        } else {
            text.lines().forEach(line -> event("message " + line));
        }
    }

    /**
     * Mark the launcher's own lines from now on, for a program that reads standard error: each
     * begins with the mark and the word {@code message}.
     *
     * @param mark which workers do not know
     */
    public void mark(String mark) {
        this.mark = mark;
    }

    /** Print an event for the program that has set the mark; without one, nothing. */
    public void event(String event) {
        if (!mark.isEmpty()) {
            print(mark + " " + event);
        }
    }

    private void print(String text) {
        byte[] bytes = (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
        lines(err, this, bytes, bytes.length);
    }

    /** Show the launcher's state on a terminal; {@link #clear} erases it. */
    public void status(String text) {
        if (err.terminal()) {
            progress(err, this, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Write whole lines. They replace a progress text of the same owner. */
    synchronized void lines(OutputTarget target, Object owner, byte[] lines, int length) {
        erase();
        write(target, lines, length);
        if (progress != null && progress.owner.equals(owner)) {
            progress = null;
        }
        draw();
    }

    /** Show a progress text below the lines; it replaces the previous one. */
    synchronized void progress(OutputTarget target, Object owner, byte[] text) {
        erase();
        progress = new Progress(target, owner, text);
        draw();
    }

    /** Erase the progress text of an owner. */
    public synchronized void clear(Object owner) {
        if (progress != null && progress.owner.equals(owner)) {
            erase();
            progress = null;
        }
    }

    private void erase() {
        if (progress != null) {
            write(progress.target, ERASE_LINE, ERASE_LINE.length);
        }
    }

    private void draw() {
        if (progress == null) {
            return;
        }
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(NO_WRAP);
        bytes.writeBytes(progress.text);
        bytes.writeBytes(WRAP);
        write(progress.target, bytes.toByteArray(), bytes.size());
    }

    private void write(OutputTarget target, byte[] bytes, int length) {
        try {
            target.write(bytes, length);
        } catch (IOException e) {
            broken.complete(e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
