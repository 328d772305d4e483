package org.gradwire.opentelemetry;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerBuilder;
import io.opentelemetry.context.propagation.TextMapPropagator;

import org.jspecify.annotations.Nullable;

/**
 * Access to the global instance of OpenTelemetry. The program or an agent sets it once, perhaps
 * after the worker has joined its group; until then it is absent.
 */
final class GlobalTelemetry {
    private static final String SCOPE = "org.gradwire.opentelemetry";
    private static final String CONVENTIONS = "https://opentelemetry.io/schemas/1.45.0";

    private volatile @Nullable Telemetry found;

    /** The parts of the instance that this module uses. */
    record Telemetry(Tracer tracer, TextMapPropagator propagator) {}

    @Nullable Telemetry find() {
        Telemetry known = found;
        return known == null ? look() : known;
    }

    /**
     * Read the instance without {@code get}, which would permanently set a no-op one if none is
     * set.
     */
    private @Nullable Telemetry look() {
        if (!GlobalOpenTelemetry.isSet()) {
            return null;
        }
        OpenTelemetry global = GlobalOpenTelemetry.getOrNoop();
        var telemetry =
                new Telemetry(tracer(global), global.getPropagators().getTextMapPropagator());
        found = telemetry;
        return telemetry;
    }

    private static Tracer tracer(OpenTelemetry global) {
        TracerBuilder builder =
                global.getTracerProvider().tracerBuilder(SCOPE).setSchemaUrl(CONVENTIONS);
        var descriptor = GlobalTelemetry.class.getModule().getDescriptor();
        if (descriptor != null) {
            descriptor.rawVersion().ifPresent(builder::setInstrumentationVersion);
        }
        return builder.build();
    }
}
