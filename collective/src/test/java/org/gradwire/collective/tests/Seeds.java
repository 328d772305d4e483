package org.gradwire.collective.tests;

/** The seed of a class of random tests; {@code -Dcollective.seed} repeats a run. */
final class Seeds {
    private static final String KEY = "collective.seed";

    private Seeds() {}

    /** Return the seed that is set, or a new one, and print it. */
    static long next() {
        long seed = Long.getLong(KEY, System.nanoTime());
        System.out.println("-D" + KEY + "=" + seed);
        return seed;
    }
}
