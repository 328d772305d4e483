package org.gradwire.bench.soak;

/**
 * Counts of times in buckets, each at most a sixteenth wider than the one before: percentiles
 * without memory for each time. Confined to one thread.
 */
final class LatencyHistogram {
    private static final int PARTS = 16; // buckets of a power of two
    private static final int PART_BITS = 4;

    private final long[] counts = new long[Long.SIZE * PARTS];
    private long total;

    void add(long nanos) {
        counts[bucket(Math.max(nanos, 1))]++;
        total++;
    }

    long total() {
        return total;
    }

    private static int bucket(long nanos) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        long part = power < PART_BITS ? 0 : (nanos >>> (power - PART_BITS)) & (PARTS - 1);
        return power * PARTS + (int) part;
    }

    /** {@return the lower bound of a bucket} */
    private static long nanos(int bucket) {
        int power = bucket / PARTS;
        long part = bucket % PARTS;
        return power < PART_BITS ? 1L << power : (PARTS + part) << (power - PART_BITS);
    }

    /** {@return a time that this share of all times does not exceed by more than a bucket} */
    long percentile(double share) {
        long rank = (long) Math.ceil(share * total);
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= rank && seen > 0) {
                return nanos(bucket);
            }
        }
        return 0;
    }
}
