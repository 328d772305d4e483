/** Tests of collective operations over {@code inproc} and {@code tensorpipe}. */
module org.gradwire.collective.tests {
    requires transitive org.gradwire.api;
    requires transitive org.gradwire.collective;
    requires static transitive org.jspecify;
    requires org.gradwire.runtime;
    requires org.junit.jupiter.api;
    requires org.junit.jupiter.params;

    uses org.gradwire.spi.BackendProvider;

    provides org.gradwire.spi.BackendProvider with
            org.gradwire.collective.tests.RecordingBackend;

    opens org.gradwire.collective.tests to
            org.junit.platform.commons;
}
