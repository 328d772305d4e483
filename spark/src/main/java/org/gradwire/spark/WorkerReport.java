package org.gradwire.spark;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * The outcome of a worker.
 *
 * @param rank of the worker, which is the number of its partition
 * @param host of the executor
 * @param executor id of the executor
 * @param exitCode of the worker's process; 128 + n if signal n ended it
 * @param time from the start of the worker to its end
 * @param rows number of rows that it returned
 * @param lastLines the end of its output, both streams together; if it has printed nothing, that of
 *     its launcher
 */
public record WorkerReport(
        int rank,
        String host,
        String executor,
        int exitCode,
        Duration time,
        long rows,
        List<String> lastLines)
        implements Serializable {

    /** Create a report. */
    public WorkerReport {
        lastLines = List.copyOf(lastLines);
    }
}
