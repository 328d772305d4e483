package org.gradwire.spring;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** Captures the log records of Gradwire and Spring while it is open. */
final class Logs extends Handler implements AutoCloseable {
    private final Logger root = Logger.getLogger("");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    private Logs() {}

    static Logs open() {
        var logs = new Logs();
        logs.root.addHandler(logs);
        return logs;
    }

    /** {@return the messages, with their exceptions} */
    String text() {
        return records.stream()
                .map(record -> record.getMessage() + stackTrace(record.getThrown()))
                .collect(Collectors.joining("\n"));
    }

    private static String stackTrace(@Nullable Throwable failure) {
        return failure == null ? "" : "\n" + failure + "\n\tat a line of code";
    }

    @Override
    public void publish(LogRecord record) {
        records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        root.removeHandler(this);
    }
}
