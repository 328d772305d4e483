package org.gradwire.profiler;

/**
 * What a profile holds beside names and times. The options hold on callees, too.
 *
 * @param recordShapes whether events of operators tell the shapes of their inputs
 * @param recordMemory whether events of operators tell the memory of the tensors they made
 * @param maxEvents after which further events are counted and not kept; more than zero. The reply
 *     to a call brings 100,000 at most.
 */
public record ProfilerOptions(boolean recordShapes, boolean recordMemory, int maxEvents) {
    /** Names and times only; at most a million events, which take some 100 MiB. */
    public static final ProfilerOptions DEFAULT = new ProfilerOptions(false, false, 1_000_000);

    public ProfilerOptions {
        if (maxEvents <= 0) {
            throw new IllegalArgumentException("maxEvents must be positive, got " + maxEvents);
        }
    }

    /** Return these options with shapes. */
    public ProfilerOptions withShapes() {
        return new ProfilerOptions(true, recordMemory, maxEvents);
    }

    /** Return these options with memory. */
    public ProfilerOptions withMemory() {
        return new ProfilerOptions(recordShapes, true, maxEvents);
    }

    /** Return these options with another limit. */
    public ProfilerOptions withMaxEvents(int limit) {
        return new ProfilerOptions(recordShapes, recordMemory, limit);
    }
}
