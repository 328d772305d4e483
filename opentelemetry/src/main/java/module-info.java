/**
 * OpenTelemetry for calls: the current context travels with each call to its callee, and a call is
 * a span on either side. Nothing is exported; the module only has to be on the path.
 *
 * <p>It needs OpenTelemetry's API only. The program or an agent chooses the SDK and sets it as the
 * global instance, at any time.
 *
 * @provides org.gradwire.spi.RpcExtensionProvider
 */
@SuppressWarnings("requires-automatic") // OpenTelemetry's jars have no descriptors
module org.gradwire.opentelemetry {
    requires org.gradwire.api;
    requires org.gradwire.spi;
    requires static org.jspecify;
    // Automatic modules declare no requirements, so all are named here.
    requires io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires io.opentelemetry.common;

    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.opentelemetry.OpenTelemetryExtensionProvider;
}
