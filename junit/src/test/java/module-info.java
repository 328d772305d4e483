/** Tests of the extension, with JUnit's test kit. */
module org.gradwire.junit.tests {
    requires transitive org.gradwire.api;
    requires org.gradwire.junit;
    requires org.gradwire.autograd;
    requires org.junit.jupiter.params;
    requires org.junit.platform.engine;
    requires org.junit.platform.testkit;
    requires static org.jspecify;

    exports org.gradwire.junit.tests.functions;

    opens org.gradwire.junit.tests to
            org.junit.platform.commons;
}
