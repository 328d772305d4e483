package org.gradwire.launcher.hosts;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.console.LastLines;
import org.gradwire.launcher.console.LinePrefix;
import org.gradwire.launcher.console.LineSink;
import org.gradwire.launcher.console.WorkerOutput;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The standard error of a host. Lines of {@code ssh}, the remote shell and the launcher get the
 * host's name; lines of workers have the worker's name and pass unchanged. The launcher's lines
 * begin with a mark, and its first one is the event {@code ready}: earlier lines are those of
 * {@code ssh} and the shell.
 */
final class HostErrors implements LineSink {
    private static final String READY = "ready";
    private static final String MESSAGE = "message ";
    private static final String OURS = "gradwire: ";

    private final String host;
    private final byte[] mark;
    private final Console console;
    private final Consumer<String> events;
    private final WorkerOutput workers;
    private final LastLines beforeStart = new LastLines();
    private volatile boolean ready;

    /**
     * Create a sink.
     *
     * @param events receives the events of the launcher, but its messages
     */
    HostErrors(String host, String mark, Console console, Consumer<String> events) {
        this.host = host;
        this.mark = (mark + " ").getBytes(StandardCharsets.US_ASCII);
        this.console = console;
        this.events = events;
        workers =
                new WorkerOutput(
                        console,
                        console.err(),
                        LinePrefix.none(),
                        new LastLines(),
                        System::nanoTime);
    }

    @Override
    public void line(byte[] text, int length) {
        if (isMarked(text, length)) {
            flush();
            event(string(text, mark.length, length));
        } else if (ready) {
            workers.line(text, length);
        } else {
            beforeStart.line(text, length);
            message(string(text, 0, length));
        }
    }

    private boolean isMarked(byte[] text, int length) {
        return length > mark.length && Arrays.equals(text, 0, mark.length, mark, 0, mark.length);
    }

    private static String string(byte[] text, int from, int to) {
        return new String(text, from, to - from, StandardCharsets.UTF_8);
    }

    private void event(String event) {
        if (event.equals(READY)) {
            ready = true;
        } else if (event.startsWith(MESSAGE)) {
            message(event.substring(MESSAGE.length()));
        } else {
            events.accept(event);
        }
    }

    private void message(String text) {
        String own = text.startsWith(OURS) ? text.substring(OURS.length()) : text;
        console.message(OURS + host + ": " + own);
    }

    @Override
    public void flush() {
        workers.flush();
    }

    @Override
    public void finish() {
        workers.finish();
    }

    /** {@return whether the launcher of the host has started} */
    boolean ready() {
        return ready;
    }

    /** {@return the last lines before its start} */
    List<String> beforeStart() {
        return beforeStart.lines();
    }
}
