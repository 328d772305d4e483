package org.gradwire.opentelemetry.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import java.util.List;

/** OpenTelemetry's SDK as the global instance, with the ended spans. */
final class Spans implements AutoCloseable {
    static final ContextPropagators W3C =
            ContextPropagators.create(
                    TextMapPropagator.composite(
                            W3CTraceContextPropagator.getInstance(),
                            W3CBaggagePropagator.getInstance()));

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk;

    Spans() {
        this(Sampler.parentBased(Sampler.alwaysOn()), W3C);
    }

    Spans(Sampler sampler, ContextPropagators propagators) {
        this.sdk =
                OpenTelemetrySdk.builder()
                        .setTracerProvider(
                                SdkTracerProvider.builder()
                                        .setSampler(sampler)
                                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                                        .build())
                        .setPropagators(propagators)
                        .build();
        GlobalOpenTelemetry.set(sdk);
    }

    /** Begin a span of the program. */
    Span start(String name) {
        return sdk.getTracer("tests").spanBuilder(name).startSpan();
    }

    List<SpanData> all() {
        return exporter.getFinishedSpanItems();
    }

    /** {@return the spans of a method on one side, in the order of their ends} */
    List<SpanData> all(SpanKind kind, String method) {
        return all().stream()
                .filter(span -> span.getKind() == kind && span.getName().endsWith(method))
                .toList();
    }

    /** {@return the only span of a method on one side} */
    SpanData one(SpanKind kind, String method) {
        List<SpanData> found = all(kind, method);
        assertEquals(1, found.size(), () -> kind + " " + method + " in " + all());
        return found.getFirst();
    }

    SpanData one(String name) {
        return one(SpanKind.INTERNAL, name);
    }

    @Override
    public void close() {
        sdk.close();
        GlobalOpenTelemetry.resetForTest();
    }
}
