package org.gradwire.bench.soak;

import java.util.Locale;

/**
 * The state of both workers and the media driver after a part of the time.
 *
 * @param calls small calls in this part
 * @param heapBytes live objects of both workers after a full collection
 * @param memoryBytes shares of memory (PSS) of both workers and the driver
 * @param files open file handles of all three
 * @param threads threads of all three
 * @param sharedBytes files of the driver's directory in {@code /dev/shm}
 * @param tailNanos the 99.9th percentile of small calls in this part
 */
record SoakSample(
        long calls,
        long heapBytes,
        long memoryBytes,
        long files,
        long threads,
        long sharedBytes,
        long tailNanos) {
    private static final double MIB = 1 << 20;

    static String heading() {
        return line("part", "small calls", "heap MiB", "memory MiB", "files", "threads")
                + line("shm MiB", "p99.9 us");
    }

    String text(int part) {
        return line(
                        Integer.toString(part),
                        Long.toString(calls),
                        number(heapBytes / MIB),
                        number(memoryBytes / MIB),
                        Long.toString(files),
                        Long.toString(threads))
                + line(number(sharedBytes / MIB), number(tailNanos / 1e3));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String line(String... cells) {
        var line = new StringBuilder();
        for (String cell : cells) {
            line.append(String.format(Locale.ROOT, "%12s", cell));
        }
        return line.toString();
    }
}
