/**
 * The conformance kit, run over the backend. JUnit finds the tests by reflection, hence {@code
 * open}.
 */
open module com.example.socket.test {
    requires com.example.socket;
    requires org.gradwire.conformance;
    requires java.logging;

    uses org.gradwire.spi.BackendProvider;
}
