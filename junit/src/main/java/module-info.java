/**
 * Groups of workers for tests with JUnit 5: {@link org.gradwire.junit.GradwireWorkers} gives each
 * test a fresh group, in the JVM of the tests.
 */
module org.gradwire.junit {
    requires transitive org.gradwire.api;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports org.gradwire.junit;

    opens org.gradwire.junit to
            org.junit.platform.commons;
}
