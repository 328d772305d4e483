/** Tests of data-parallel training over {@code inproc} and {@code tensorpipe}. */
module org.gradwire.nn.parallel.tests {
    requires transitive org.gradwire.nn.parallel;
    requires static transitive org.jspecify;
    requires org.gradwire.junit;
    requires org.gradwire.runtime;
    requires org.junit.jupiter.api;
    requires org.junit.jupiter.params;

    exports org.gradwire.nn.parallel.tests.functions;

    opens org.gradwire.nn.parallel.tests to
            org.junit.platform.commons;
}
