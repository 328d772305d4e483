package org.gradwire.opentelemetry.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import org.gradwire.opentelemetry.tests.functions.Traced;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Malformed headers and failing propagators, which never fail a call. */
@Timeout(120)
class RubbishTest {
    private static final String CURRENT =
            "org.gradwire.opentelemetry.tests.functions.Traced#current()Ljava/util/List;";

    /** A propagator that writes given fields, and reads as W3C's does. */
    private record Writer(Map<String, String> written) implements TextMapPropagator {
        @Override
        public Collection<String> fields() {
            return written.keySet();
        }

        @Override
        public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
            written.forEach((name, value) -> setter.set(carrier, name, value));
        }

        @Override
        public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
            return Spans.W3C.getTextMapPropagator().extract(context, carrier, getter);
        }
    }

    /** A propagator that fails when it writes, or when it reads. */
    private record Failing(boolean writing) implements TextMapPropagator {
        @Override
        public Collection<String> fields() {
            return List.of("field");
        }

        @Override
        public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
            if (writing) {
                throw new IllegalStateException("cannot write");
            }
            setter.set(carrier, "field", "value");
        }

        @Override
        public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
            throw new IllegalStateException("cannot read " + getter.get(carrier, "field"));
        }
    }

    private static void call(TextMapPropagator propagator, int headers) throws Exception {
        try (var spans = new Spans(Sampler.alwaysOn(), ContextPropagators.create(propagator))) {
            TracedGroup.run(
                    workers -> {
                        Span program = spans.start("program");
                        try (Scope _ = program.makeCurrent()) {
                            List<String> there = workers.get(0).rpcSync("worker1", Traced::current);
                            assertEquals("null", there.getLast());
                        }
                        program.end();
                        String sent = workers.get(0).debugInfo().getOrDefault(SpyBackend.SENT, "");
                        assertEquals(headers, sent.split("TRACE_CONTEXT_REQ", -1).length - 1);
                    },
                    "spans",
                    "spans");
            assertEquals(
                    1,
                    spans.all().stream()
                            .filter(span -> span.getName().endsWith("current"))
                            .filter(span -> !span.getParentSpanContext().isValid())
                            .count());
        }
    }

    @Test
    void malformedFieldsAreIgnored() throws Exception {
        call(new Writer(Map.of("traceparent", "", "baggage", "=;,%%%")), 1);
        call(new Writer(Map.of("traceparent", "00-xyz-1-01", "tracestate", "\u0000\uffff")), 1);
        call(new Writer(Map.of("", "x".repeat(1 << 17))), 1);
    }

    @Test
    void aFailingPropagatorFailsNoCall() throws Exception {
        call(new Failing(true), 0);
        call(new Failing(false), 1);
    }

    /** Write a call wrapped in a header of a given type. */
    private static void write(Output out, int inner, byte[] header) {
        out.writeInt(2);
        out.writeString(CURRENT);
        out.writeInt(0);
        for (byte each : header) {
            out.writeBoolean((each & 1) != 0);
        }
        int length = CURRENT.getBytes(StandardCharsets.UTF_8).length;
        int start = 1 + 1 + 1 + length + 1; // a small number has one byte
        out.writeDouble(Double.longBitsToDouble((long) inner << Integer.SIZE | start));
    }

    private static Input send(Rpc rpc, int type, Consumer<Output> body) {
        return Worker.of(rpc).request(1, type, body, null).join();
    }

    @Test
    void malformedBytesAreIgnored() throws Exception {
        try (var spans = new Spans()) {
            var random = new Random(42);
            TracedGroup.run(
                    workers -> {
                        for (int length = 0; length < 40; length++) {
                            var header = new byte[length];
                            random.nextBytes(header);
                            assertAnswers(workers.get(0), MessageTypes.TRACE_CONTEXT_REQ, header);
                        }
                    },
                    "spans",
                    "spans");
            assertEquals(40, spans.all().size());
        }
    }

    @Test
    void anUnknownOptionalHeaderIsIgnored() throws Exception {
        TracedGroup.run(
                workers -> {
                    assertAnswers(workers.get(0), 0x1e5, new byte[] {1, 2, 3});
                    RpcException refused =
                            assertThrows(
                                    RpcException.class,
                                    () ->
                                            assertAnswers(
                                                    workers.get(0), 0x1c5, new byte[] {1, 2, 3}));
                    assertEquals(RpcErrorKind.UNDECODABLE, refused.kind());
                    RpcException broken =
                            assertThrows(
                                    RpcException.class,
                                    () -> send(workers.get(0), 0x1e5, out -> out.writeDouble(-1)));
                    assertEquals(RpcErrorKind.UNDECODABLE, broken.kind());
                },
                "spans",
                "spans");
    }

    private static void assertAnswers(Rpc rpc, int type, byte[] header) {
        Input answer = send(rpc, type, out -> write(out, MessageTypes.UDF_CALL, header));
        assertEquals(0, answer.readInt());
        Object value = answer.readValue();
        assertEquals("null", value instanceof List<?> list ? list.getLast() : value);
    }
}
