package org.gradwire.conformance.harness;

/** What tests tell the report about themselves, as JUnit report entries. */
public final class ReportKeys {
    /** Name of the backend that the test runs over. */
    public static final String BACKEND = "gradwire.backend";

    /** Id of the rule, case or property, where it is not in an annotation. */
    public static final String ID = "gradwire.id";

    /**
     * One of {@code rule}, {@code case}, {@code property}, {@code broken} or {@code test}, where it
     * does not follow from an annotation.
     */
    public static final String KIND = "gradwire.kind";

    /** Seed of a random test. */
    public static final String SEED = "gradwire.seed";

    /**
     * Begins the key under which a test says what a rule made of a broken backend: flaw and rule
     * follow, with a point between them.
     */
    public static final String KILL = "gradwire.kill.";

    private ReportKeys() {}
}
