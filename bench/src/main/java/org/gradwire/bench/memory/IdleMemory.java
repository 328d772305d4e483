package org.gradwire.bench.memory;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The memory of one pair of idle processes, as shares (PSS).
 *
 * @param workerBytes the mean of the two
 * @param driverBytes the media driver's; 0 for a system without one
 */
public record IdleMemory(long workerBytes, long driverBytes) {

    /** {@return the median of a number of several pairs} */
    public static double median(List<IdleMemory> pairs, ToLongFunction<IdleMemory> number) {
        double[] sorted = pairs.stream().mapToDouble(number::applyAsLong).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** {@return the bytes of both processes and the driver} */
    public long pairBytes() {
        return 2 * workerBytes + driverBytes;
    }
}
