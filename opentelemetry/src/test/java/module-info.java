/** Tests of tracing over {@code inproc}, with OpenTelemetry's own SDK. */
@SuppressWarnings("requires-automatic") // OpenTelemetry's jars have no descriptors
module org.gradwire.opentelemetry.tests {
    requires transitive org.gradwire.api;
    requires transitive org.gradwire.spi;
    requires org.gradwire.opentelemetry;
    requires org.gradwire.runtime;
    requires static transitive org.jspecify;
    requires io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires io.opentelemetry.common;
    requires io.opentelemetry.sdk;
    requires io.opentelemetry.sdk.common;
    requires io.opentelemetry.sdk.trace;
    requires io.opentelemetry.sdk.testing;
    requires org.junit.jupiter.api;
    requires org.junit.jupiter.params;

    exports org.gradwire.opentelemetry.tests.functions;

    opens org.gradwire.opentelemetry.tests to
            org.junit.platform.commons;

    uses org.gradwire.spi.BackendProvider;

    provides org.gradwire.spi.BackendProvider with
            org.gradwire.opentelemetry.tests.SpyBackend;
    provides org.gradwire.spi.OperatorProvider with
            org.gradwire.opentelemetry.tests.functions.Where;
    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.opentelemetry.tests.FailingObserver;
}
