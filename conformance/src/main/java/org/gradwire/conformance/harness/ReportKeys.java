package org.gradwire.conformance.harness;

/** Keys of the JUnit report entries that tests publish for the report. */
public final class ReportKeys {
    /** Name of the backend under test. */
    public static final String BACKEND = "gradwire.backend";

    /** Id of the rule, case or property, if no annotation contains it. */
    public static final String ID = "gradwire.id";

    /**
     * One of {@code rule}, {@code case}, {@code property}, {@code broken} or {@code test}, if no
     * annotation implies it.
     */
    public static final String KIND = "gradwire.kind";

    /** Seed of a random test. */
    public static final String SEED = "gradwire.seed";

    /**
     * Prefix of the key for a verdict of the kill matrix; the mutant and the rule follow, separated
     * by a dot.
     */
    public static final String KILL = "gradwire.kill.";

    private ReportKeys() {}
}
