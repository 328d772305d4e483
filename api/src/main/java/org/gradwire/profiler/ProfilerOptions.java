package org.gradwire.profiler;

/**
 * Options of a profiler, which apply to callees too. Names and times are always recorded.
 *
 * @param recordShapes whether events of operators include the shapes of their inputs
 * @param recordMemory whether events of operators include the memory of the tensors they made
 * @param maxEvents number of events above which more are counted but not kept; positive. The reply
 *     to a call carries at most 100,000 events.
 */
public record ProfilerOptions(boolean recordShapes, boolean recordMemory, int maxEvents) {
    /** Names and times only; at most a million events, which take some 100 MiB. */
    public static final ProfilerOptions DEFAULT = new ProfilerOptions(false, false, 1_000_000);

    public ProfilerOptions {
        if (maxEvents <= 0) {
            throw new IllegalArgumentException("maxEvents must be positive, got " + maxEvents);
        }
    }

    /** Return a copy of these options that records shapes. */
    public ProfilerOptions withShapes() {
        return new ProfilerOptions(true, recordMemory, maxEvents);
    }

    /** Return a copy of these options that records memory. */
    public ProfilerOptions withMemory() {
        return new ProfilerOptions(recordShapes, true, maxEvents);
    }

    /** Return a copy of these options with another limit of events. */
    public ProfilerOptions withMaxEvents(int limit) {
        return new ProfilerOptions(recordShapes, recordMemory, limit);
    }
}
