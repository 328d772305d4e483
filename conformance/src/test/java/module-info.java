/** Runs the kit over the project's backends and over mutants. */
open module org.gradwire.conformance.test {
    requires org.gradwire.conformance;
    requires org.gradwire.autograd;
    requires org.gradwire.nn;
    requires org.gradwire.spi;
    requires org.junit.jupiter.api;
    requires org.junit.platform.engine;
    requires org.junit.platform.launcher;
    requires java.logging;
    requires net.jqwik.api;
    requires static org.jspecify;

    uses org.gradwire.spi.BackendProvider;
    uses org.junit.platform.launcher.TestExecutionListener;

    provides org.gradwire.spi.BackendProvider with
            org.gradwire.conformance.test.TappedBackend;
}
