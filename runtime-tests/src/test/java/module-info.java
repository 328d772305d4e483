/**
 * Tests of the runtime over {@code inproc}, with their remote functions and values. The module is
 * not open, since an open module exports everything.
 */
module org.gradwire.runtime.tests {
    requires transitive org.gradwire.api;
    requires transitive org.gradwire.autograd;
    requires transitive org.gradwire.nn;
    requires transitive org.gradwire.spi;
    requires static transitive org.jspecify;
    requires org.gradwire.runtime;
    requires net.jqwik.api;
    requires org.junit.jupiter.api;
    requires org.junit.jupiter.params;
    requires java.logging;
    requires jdk.jfr;
    requires java.management;
    requires jdk.management;

    uses org.gradwire.spi.BackendProvider;

    provides org.gradwire.spi.BackendProvider with
            org.gradwire.runtime.tests.HeldBackend,
            org.gradwire.runtime.tests.hostile.TappedBackend;

    exports org.gradwire.runtime.tests.functions;

    opens org.gradwire.runtime.tests to
            org.junit.platform.commons;
    opens org.gradwire.runtime.tests.function to
            net.jqwik.engine,
            org.junit.platform.commons;
    opens org.gradwire.runtime.tests.hostile to
            org.junit.platform.commons;
    opens org.gradwire.runtime.tests.nn to
            org.junit.platform.commons;
    opens org.gradwire.runtime.tests.wire to
            net.jqwik.engine,
            org.junit.platform.commons;
}
