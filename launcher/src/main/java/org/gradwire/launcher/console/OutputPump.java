package org.gradwire.launcher.console;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Copies one output stream of a process to a sink, on its own thread. */
public final class OutputPump {
    private final InputStream stream;
    private final LineSink output;
    private final LineSplitter splitter;
    private final Thread thread;
    private boolean finished;

    private OutputPump(InputStream stream, LineSink output, String name) {
        this.stream = stream;
        this.output = output;
        this.splitter = new LineSplitter(output);
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::pump);
    }

    /** Start to copy. */
    public static OutputPump start(InputStream stream, LineSink output, String name) {
        var pump = new OutputPump(stream, output, name);
        pump.thread.start();
        return pump;
    }

    /** Wait until the whole output is passed on; output after the deadline is dropped. */
    public void await(long deadlineNanos) throws InterruptedException {
        boolean _ = thread.join(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
        finish();
    }

    private void pump() {
        byte[] bytes = new byte[16 * 1024];
        try {
            int count;
            while ((count = stream.read(bytes)) >= 0 && accept(bytes, count)) {}
        } catch (IOException _) {
            // Another thread closed the stream: its end.
        }
        finish();
    }

    private synchronized boolean accept(byte[] bytes, int count) {
        if (finished) {
            return false;
        }
        splitter.accept(bytes, count);
        output.flush();
        return true;
    }

    private synchronized void finish() {
        if (!finished) {
            finished = true;
            splitter.finish();
            output.finish();
        }
    }
}
