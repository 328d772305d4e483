package org.gradwire.conformance.cases.rpc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Listens to a logger while it is open. Other workers of the JVM may write there, too. */
final class LogCapture extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> messages = new CopyOnWriteArrayList<>();

    private LogCapture(Logger logger) {
        this.logger = logger;
    }

    static LogCapture of(String name) {
        var capture = new LogCapture(Logger.getLogger(name));
        capture.logger.addHandler(capture);
        return capture;
    }

    @Override
    public void publish(LogRecord record) {
        messages.add(String.valueOf(record.getMessage()));
    }

    /** {@return whether a message was written that contains all of these} */
    boolean has(String... parts) {
        return messages.stream().anyMatch(text -> List.of(parts).stream().allMatch(text::contains));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
