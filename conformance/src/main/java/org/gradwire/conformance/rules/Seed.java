package org.gradwire.conformance.rules;

import java.util.concurrent.ThreadLocalRandom;

/** The seed of the contents, sizes, offsets and ids that checks draw. */
public final class Seed {
    /** System property that sets the seed, to repeat a run. */
    public static final String KEY = "conformance.seed";

    private static final long DRAWN = ThreadLocalRandom.current().nextLong(1, 1L << 40);

    private Seed() {}

    /**
     * {@return the seed} It is the current value of system property {@value #KEY}, else a random
     * number that stays the same in this process.
     */
    public static long get() {
        return Long.getLong(KEY, DRAWN);
    }
}
