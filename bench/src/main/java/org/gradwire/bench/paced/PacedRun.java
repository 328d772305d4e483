package org.gradwire.bench.paced;

import java.time.Duration;

/**
 * One turn of paced calls of a system.
 *
 * @param calls their number
 * @param wall the time that all took together
 * @param processors the processor time of all processes
 * @param medianNanos the median of the calls
 * @param tailNanos the 99th percentile of the calls
 */
public record PacedRun(
        int calls, Duration wall, Duration processors, long medianNanos, long tailNanos) {

    /** Create the record of a run of a planned length. */
    public static PacedRun of(
            Duration planned,
            Duration wall,
            Duration processors,
            long medianNanos,
            long tailNanos) {
        return new PacedRun(PacedCalls.count(planned), wall, processors, medianNanos, tailNanos);
    }

    double processorMicros() {
        return processors.toNanos() / 1e3 / calls;
    }

    double perSecond() {
        return calls * 1e9 / wall.toNanos();
    }
}
