package org.gradwire.opentelemetry.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import org.gradwire.opentelemetry.tests.functions.Traced;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Contexts that travel with calls, and peers without the extension that receive them. */
@Timeout(120)
class ContextTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final List<String> NOTHING =
            List.of("00000000000000000000000000000000", "0000000000000000", "false", "null");

    @AfterEach
    void forget() {
        GlobalOpenTelemetry.resetForTest();
    }

    private static Context context(TraceFlags flags) {
        SpanContext span = SpanContext.create(TRACE, SPAN, flags, TraceState.getDefault());
        return Context.root()
                .with(Span.wrap(span))
                .with(Baggage.builder().put("user", "Ann").build());
    }

    /** {@return the context that a function sees when it is called within one} */
    private static List<String> seen(Rpc rpc, Context context) {
        try (Scope _ = context.makeCurrent()) {
            return rpc.rpcSync("worker1", Traced::current);
        }
    }

    private static String sent(Rpc rpc) {
        return rpc.debugInfo().getOrDefault(SpyBackend.SENT, "");
    }

    @Test
    void baggageTravelsWithTheTraceAcrossWorkers() throws Exception {
        try (var spans = new Spans()) {
            TracedGroup.run(
                    workers -> {
                        try (Scope _ = context(TraceFlags.getSampled()).makeCurrent()) {
                            List<String> there =
                                    workers.get(0).rpcSync("worker1", Traced::relay, "worker2");
                            assertEquals(TRACE, there.getFirst());
                            assertEquals("Ann", there.getLast());
                        }
                    },
                    "spans",
                    "spans",
                    "spans");
            assertEquals(4, spans.all().size());
        }
    }

    @Test
    void aTraceThatIsNotSampledTravelsAsSuchAndLeavesNoSpans() throws Exception {
        try (var spans = new Spans()) {
            TracedGroup.run(
                    workers -> {
                        List<String> there = seen(workers.get(0), context(TraceFlags.getDefault()));
                        assertEquals(List.of(TRACE, "false", "Ann"), without(there, 1));
                    },
                    "spans",
                    "spans");
            assertEquals(List.of(), spans.all());
        }
        try (var spans = new Spans(Sampler.alwaysOff(), Spans.W3C)) {
            TracedGroup.run(
                    workers -> {
                        List<String> there = workers.get(0).rpcSync("worker1", Traced::current);
                        assertEquals("false", there.get(2));
                        assertFalse(there.equals(NOTHING), there::toString);
                    },
                    "spans",
                    "spans");
            assertEquals(List.of(), spans.all());
        }
    }

    private static List<String> without(List<String> list, int index) {
        var shorter = new ArrayList<>(list);
        shorter.remove(index);
        return shorter;
    }

    @Test
    void withoutAGlobalInstanceNoHeaderIsAddedAndNoInstanceIsSet() throws Exception {
        var plain = new String[1];
        TracedGroup.run(
                workers -> {
                    assertEquals(NOTHING, seen(workers.get(0), Context.root()));
                    plain[0] = sent(workers.get(0));
                },
                "off",
                "off");
        assertTrue(plain[0].matches("UDF_CALL:\\d+"), plain[0]);
        TracedGroup.run(
                workers -> {
                    assertEquals(NOTHING, seen(workers.get(0), context(TraceFlags.getSampled())));
                    assertEquals(plain[0], sent(workers.get(0)));
                },
                "spans",
                "spans");
        assertFalse(GlobalOpenTelemetry.isSet());
    }

    @Test
    void anInstanceSetLaterIsUsed() throws Exception {
        TracedGroup.run(
                workers -> {
                    assertEquals(NOTHING, seen(workers.get(0), context(TraceFlags.getSampled())));
                    try (var spans = new Spans()) {
                        List<String> there = seen(workers.get(0), context(TraceFlags.getSampled()));
                        assertEquals(
                                spans.one(SpanKind.SERVER, "current").getSpanId(), there.get(1));
                    }
                },
                "spans",
                "spans");
    }

    @Test
    void modeContextPropagatesWithoutSpans() throws Exception {
        try (var spans = new Spans()) {
            TracedGroup.run(
                    workers -> {
                        Rpc rpc = workers.get(0);
                        assertEquals(NOTHING, seen(rpc, Context.root()));
                        assertTrue(sent(rpc).matches("UDF_CALL:\\d+"), sent(rpc));
                        assertEquals(
                                List.of(TRACE, SPAN, "true", "Ann"),
                                seen(rpc, context(TraceFlags.getSampled())));
                    },
                    "context",
                    "context");
            assertEquals(List.of(), spans.all());
        }
    }

    @Test
    void propagatorsWithoutAnSdkAreEnough() throws Exception {
        GlobalOpenTelemetry.set(OpenTelemetry.propagating(Spans.W3C));
        TracedGroup.run(
                workers -> {
                    assertEquals(
                            List.of(TRACE, SPAN, "true", "Ann"),
                            seen(workers.get(0), context(TraceFlags.getSampled())));
                    assertEquals(NOTHING, seen(workers.get(0), Context.root()));
                    assertTrue(
                            sent(workers.get(0)).matches("TRACE_CONTEXT_REQ:\\d+ UDF_CALL:\\d+"),
                            sent(workers.get(0)));
                },
                "spans",
                "spans");
    }

    @Test
    void aPeerWithoutTheExtensionIgnoresTheHeader() throws Exception {
        try (var spans = new Spans()) {
            TracedGroup.run(
                    workers -> {
                        assertEquals(
                                NOTHING, seen(workers.get(0), context(TraceFlags.getSampled())));
                        assertTrue(
                                sent(workers.get(0)).matches("TRACE_CONTEXT_REQ:\\d+"),
                                sent(workers.get(0)));
                    },
                    "spans",
                    "off");
            assertEquals(List.of(), spans.all(SpanKind.SERVER, ""));
            assertEquals(TRACE, spans.one(SpanKind.CLIENT, "current").getTraceId());
        }
    }

    @Test
    void aCallOfAPeerWithoutTheExtensionBeginsATrace() throws Exception {
        try (var spans = new Spans()) {
            TracedGroup.run(
                    workers -> {
                        List<String> there = seen(workers.get(0), context(TraceFlags.getSampled()));
                        assertFalse(there.getFirst().equals(TRACE));
                        assertEquals("null", there.getLast());
                    },
                    "off",
                    "spans");
            assertFalse(spans.one(SpanKind.SERVER, "current").getParentSpanContext().isValid());
            assertEquals(1, spans.all().size());
        }
    }

    @Test
    void anUnknownModeIsRefused() {
        Throwable failure =
                assertThrows(ExecutionException.class, () -> TracedGroup.run(_ -> {}, "on"))
                        .getCause();
        assertEquals(
                "gradwire.opentelemetry=on (from the options) must be one of [spans, context, off]",
                failure instanceof RpcConfigurationException wrong ? wrong.getMessage() : failure);
    }
}
