/** Tests of the runtime over {@code inproc}, with the functions and types that they send. */
open module org.gradwire.runtime.tests {
    requires transitive org.gradwire.api;
    requires transitive org.gradwire.spi;
    requires org.gradwire.runtime;
    requires static transitive org.jspecify;
    requires net.jqwik.api;
    requires org.junit.jupiter.api;
    requires org.junit.jupiter.params;

    exports org.gradwire.runtime.tests.functions;
}
