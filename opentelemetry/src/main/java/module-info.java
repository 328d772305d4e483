/**
 * OpenTelemetry for calls: the current context travels with each call to its callee, and a call is
 * a span on either side. Nothing is exported; being on the module path is all it takes.
 *
 * <p>It needs OpenTelemetry's API only. What happens with spans is the SDK's matter, which the
 * program or an agent sets as the global instance, at any time.
 *
 * @provides org.gradwire.spi.RpcExtensionProvider
 */
@SuppressWarnings("requires-automatic") // OpenTelemetry's jars have no descriptors
module org.gradwire.opentelemetry {
    requires org.gradwire.api;
    requires org.gradwire.spi;
    requires static org.jspecify;
    // Automatic modules say nothing of what they need, so all of it is named here.
    requires io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires io.opentelemetry.common;

    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.opentelemetry.OpenTelemetryExtensionProvider;
}
