/** The kit, run over the project's own backends and over broken ones. */
open module org.gradwire.conformance.test {
    requires org.gradwire.conformance;
    requires org.gradwire.autograd;
    requires org.gradwire.spi;
    requires org.junit.jupiter.api;
    requires net.jqwik.api;
    requires static org.jspecify;

    uses org.gradwire.spi.BackendProvider;
}
