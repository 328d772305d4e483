package org.gradwire.launcher.console;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The output of one stream of a worker: prefixes each line with the worker's name and writes it to
 * the console.
 *
 * <p>Without a terminal progress texts become ordinary lines, at most one every few seconds, and
 * the last state of a bar that no line followed.
 *
 * <p>Not thread-safe. {@link #flush} writes the collected lines to the console.
 */
public final class WorkerOutput implements LineSink {
    /** The JVM's warning about a flag of jvm.args, in each worker; it has no use for the user. */
    private static final byte[] NOISE =
            "WARNING: Using incubator modules: jdk.incubator.vector"
                    .getBytes(StandardCharsets.US_ASCII);

    private static final byte[] RESET = "\u001b[0m".getBytes(StandardCharsets.US_ASCII);
    private static final long PROGRESS_NANOS = Duration.ofSeconds(5).toNanos();

    private final Console console;
    private final OutputTarget target;
    private final byte[] prefix;
    private final LineSink tail;
    private final LongSupplier clock;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private byte @Nullable [] held;
    private long nextProgressNanos;

    /**
     * Connect a stream to the console.
     *
     * @param tail also receives each line, without its prefix
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public WorkerOutput(
            Console console,
            OutputTarget target,
            LinePrefix linePrefix,
            LineSink tail,
            LongSupplier clock) {
        this.console = console;
        this.target = target;
        this.prefix = linePrefix.bytes(target.colored());
        this.tail = tail;
        this.clock = clock;
        this.nextProgressNanos = clock.getAsLong();
    }

    @Override
    public void line(byte[] text, int length) {
        if (Arrays.equals(text, 0, length, NOISE, 0, NOISE.length)) {
            return;
        }
        held = null;
        tail.line(text, length);
        append(text, length);
    }

    @Override
    public void progress(byte[] text, int length) {
        if (target.terminal()) {
            flush();
            console.progress(target, this, prefixed(text, length));
        } else if (clock.getAsLong() >= nextProgressNanos) {
            held = null;
            nextProgressNanos = clock.getAsLong() + PROGRESS_NANOS;
            append(text, length);
        } else {
            held = Arrays.copyOf(text, length);
        }
    }

    /** Write the lines collected so far. */
    @Override
    public void flush() {
        if (lines.size() > 0) {
            console.lines(target, this, lines.toByteArray(), lines.size());
            lines.reset();
        }
    }

    /** Write the rest after the stream ended. */
    @Override
    public void finish() {
        byte[] last = held;
        if (last != null) {
            append(last, last.length);
            held = null;
        }
        flush();
        console.clear(this);
    }

    private void append(byte[] text, int length) {
        lines.writeBytes(prefix);
        lines.write(text, 0, length);
        if (target.terminal() && contains(text, length, (byte) 0x1b)) {
            lines.writeBytes(RESET);
        }
        lines.write('\n');
    }

    private byte[] prefixed(byte[] text, int length) {
        byte[] whole = Arrays.copyOf(prefix, prefix.length + length);
        System.arraycopy(text, 0, whole, prefix.length, length);
        return whole;
    }

    private static boolean contains(byte[] text, int length, byte wanted) {
        for (int i = 0; i < length; i++) {
            if (text[i] == wanted) {
                return true;
            }
        }
        return false;
    }
}
