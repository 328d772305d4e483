/**
 * Tests of checkpoints over {@code inproc} and {@code tensorpipe}, with processes that are killed.
 */
module org.gradwire.checkpoint.tests {
    requires transitive org.gradwire.checkpoint;
    requires static transitive org.jspecify;
    requires org.gradwire.junit;
    requires org.gradwire.runtime;
    requires org.junit.jupiter.api;
    requires org.junit.jupiter.params;

    exports org.gradwire.checkpoint.tests.functions;

    opens org.gradwire.checkpoint.tests to
            org.junit.platform.commons;
}
