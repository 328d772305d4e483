package org.gradwire.opentelemetry.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;

import org.gradwire.opentelemetry.tests.functions.Traced;
import org.gradwire.opentelemetry.tests.functions.Traced.Gate;
import org.gradwire.opentelemetry.tests.functions.Where;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Spans of calls: their parents, ends and statuses. */
@Timeout(120)
class CallSpansTest {
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    private static final String FUNCTIONS = "org.gradwire.opentelemetry.tests.functions.Traced.";

    private final Spans spans = new Spans();

    @AfterEach
    void close() {
        spans.close();
    }

    /** Run a task in a span of the program. */
    private void within(String name, Runnable task) {
        Span span = spans.start(name);
        try (Scope _ = span.makeCurrent()) {
            task.run();
        } finally {
            span.end();
        }
    }

    private static void assertParent(SpanData parent, SpanData child) {
        assertEquals(parent.getTraceId(), child.getTraceId());
        assertEquals(parent.getSpanId(), child.getParentSpanId());
    }

    private void assertFailed(SpanData span, String type, String text) {
        assertEquals(StatusData.error().getStatusCode(), span.getStatus().getStatusCode());
        assertTrue(span.getStatus().getDescription().contains(text), span::toString);
        assertEquals(type, span.getAttributes().get(ERROR_TYPE));
        assertEquals(
                List.of("exception"), span.getEvents().stream().map(e -> e.getName()).toList());
    }

    @Test
    void aCallIsASpanOnEitherSide() throws Exception {
        TracedGroup.run(
                workers ->
                        within(
                                "program",
                                () -> {
                                    List<String> there =
                                            workers.get(0).rpcSync("worker1", Traced::current);
                                    SpanData server = spans.one(SpanKind.SERVER, "current");
                                    assertEquals(
                                            List.of(
                                                    server.getTraceId(),
                                                    server.getSpanId(),
                                                    "true",
                                                    "null"),
                                            there);
                                }),
                "spans",
                "spans");
        SpanData client = spans.one(SpanKind.CLIENT, "current");
        SpanData server = spans.one(SpanKind.SERVER, "current");
        assertParent(spans.one("program"), client);
        assertParent(client, server);
        assertTrue(server.getParentSpanContext().isRemote());
        for (SpanData span : List.of(client, server)) {
            assertEquals(FUNCTIONS + "current", span.getName());
            assertEquals(
                    Attributes.builder()
                            .put("rpc.system.name", "gradwire")
                            .put("rpc.method", FUNCTIONS + "current")
                            .put("server.address", "worker1")
                            .put("gradwire.caller", "worker0")
                            .build()
                            .asMap(),
                    span.getAttributes().asMap());
            assertEquals(StatusData.unset(), span.getStatus());
            assertEquals(
                    "org.gradwire.opentelemetry", span.getInstrumentationScopeInfo().getName());
        }
        assertEquals(List.of(server, client, spans.one("program")), spans.all());
    }

    @Test
    void aCallOutsideOfAnySpanBeginsATrace() throws Exception {
        TracedGroup.run(
                workers -> {
                    workers.get(0).rpcSync("worker1", Traced::current);
                    workers.get(0).rpcSync("worker1", Traced::current);
                    assertFalse(Span.current().getSpanContext().isValid());
                },
                "spans",
                "spans");
        List<SpanData> calls = spans.all(SpanKind.CLIENT, "current");
        assertEquals(2, calls.stream().map(SpanData::getTraceId).distinct().count());
        for (int i = 0; i < 2; i++) {
            assertFalse(calls.get(i).getParentSpanContext().isValid());
            assertParent(calls.get(i), spans.all(SpanKind.SERVER, "current").get(i));
        }
    }

    @Test
    void callsOverThreeWorkersAreOneTrace() throws Exception {
        TracedGroup.run(
                workers -> workers.get(0).rpcSync("worker1", Traced::relay, "worker2"),
                "spans",
                "spans",
                "spans");
        SpanData served = spans.one(SpanKind.SERVER, "relay");
        SpanData nested = spans.one(SpanKind.CLIENT, "current");
        assertParent(spans.one(SpanKind.CLIENT, "relay"), served);
        assertParent(served, nested);
        assertParent(nested, spans.one(SpanKind.SERVER, "current"));
        assertEquals(
                "worker1", nested.getAttributes().get(AttributeKey.stringKey("gradwire.caller")));
        assertEquals(4, spans.all().size());
    }

    @Test
    void anAsynchronousCallEndsWithItsFutureAndCallbacksRunInTheSpanThatAddedThem()
            throws Exception {
        TracedGroup.run(
                workers -> {
                    Rpc rpc = workers.get(0);
                    var held = new RpcFuture<?>[1];
                    within(
                            "program",
                            () ->
                                    held[0] =
                                            rpc.rpcAsync("worker1", Traced::hold)
                                                    .then(_ ->
                                                            rpc.rpcSync(
                                                                    "worker1", Traced::current)));
                    Gate gate = Gate.of(workers.get(1));
                    gate.awaitEntered();
                    assertEquals(
                            List.of("program"),
                            spans.all().stream().map(SpanData::getName).toList());
                    gate.release();
                    held[0].join();
                },
                "spans",
                "spans");
        SpanData program = spans.one("program");
        assertParent(program, spans.one(SpanKind.CLIENT, "hold"));
        assertParent(program, spans.one(SpanKind.CLIENT, "current"));
        assertParent(spans.one(SpanKind.CLIENT, "hold"), spans.one(SpanKind.SERVER, "hold"));
    }

    @Test
    void anAsynchronousFunctionEndsWithItsFutureAndContinuesInItsSpan() throws Exception {
        TracedGroup.run(
                workers ->
                        workers.get(0)
                                .rpcSync("worker1", RpcFunction.async(Traced::twice), "worker2"),
                "spans",
                "spans",
                "spans");
        SpanData served = spans.one(SpanKind.SERVER, "twice");
        List<SpanData> nested = spans.all(SpanKind.CLIENT, "current");
        assertEquals(2, nested.size());
        for (SpanData call : nested) {
            assertParent(served, call);
            assertTrue(spans.all().indexOf(call) < spans.all().indexOf(served));
        }
        assertParent(spans.one(SpanKind.CLIENT, "twice"), served);
    }

    @Test
    void creatingAReferenceIsACallAndFetchingItIsNot() throws Exception {
        TracedGroup.run(
                workers ->
                        within(
                                "program",
                                () -> {
                                    try (RRef<List<String>> made =
                                            workers.get(0).remote("worker1", Traced::current)) {
                                        List<String> there = made.toHere();
                                        assertEquals(
                                                Span.current().getSpanContext().getTraceId(),
                                                there.getFirst());
                                    }
                                    String sent =
                                            workers.get(0)
                                                    .debugInfo()
                                                    .getOrDefault(SpyBackend.SENT, "");
                                    assertTrue(
                                            sent.startsWith("TRACE_CONTEXT_REQ:")
                                                    && sent.contains(" UDF_RREF_FETCH_CALL:"),
                                            sent);
                                }),
                "spans",
                "spans");
        SpanData client = spans.one(SpanKind.CLIENT, "current");
        assertParent(spans.one("program"), client);
        assertParent(client, spans.one(SpanKind.SERVER, "current"));
        assertEquals(3, spans.all().size());
    }

    @Test
    void aForkedScriptContinuesInTheSpan() throws Exception {
        TracedGroup.run(
                workers ->
                        within(
                                "program",
                                () -> {
                                    List<String> there =
                                            workers.get(0)
                                                    .script()
                                                    .fork(Call.to(Traced::scripted))
                                                    .join();
                                    assertEquals(
                                            Span.current().getSpanContext().getSpanId(),
                                            there.get(1));
                                }),
                "spans");
        assertEquals(1, spans.all().size());
    }

    @Test
    void aFunctionThatFailsIsAnErrorOnEitherSide() throws Exception {
        TracedGroup.run(
                workers -> {
                    Rpc rpc = workers.get(0);
                    assertThrows(
                            RemoteException.class,
                            () -> rpc.rpcSync("worker1", Traced::fail, "no tea"));
                    assertThrows(
                            RemoteException.class,
                            () ->
                                    rpc.rpcSync(
                                            "worker1",
                                            RpcFunction.async(Traced::failLater),
                                            "worker2"));
                },
                "spans",
                "spans",
                "spans");
        for (String function : List.of("fail", "failLater")) {
            for (SpanKind side : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
                assertFailed(
                        spans.all(side, function).getFirst(),
                        "java.lang.IllegalStateException",
                        "no tea");
            }
        }
    }

    @Test
    void anUnsendableRequestIsAFailedCall() throws Exception {
        TracedGroup.run(
                workers ->
                        assertThrows(
                                IllegalArgumentException.class,
                                () ->
                                        workers.get(0)
                                                .rpcSync("worker1", Traced::echo, new Object())),
                "spans",
                "spans");
        assertFailed(
                spans.one(SpanKind.CLIENT, "echo"),
                "org.gradwire.rpc.TypeMismatchException",
                "java.lang.Object");
        assertEquals(1, spans.all().size());
    }

    @Test
    void aTimedOutCallEndsForItsCaller() throws Exception {
        TracedGroup.run(
                workers -> {
                    assertThrows(
                            RpcTimeoutException.class,
                            () ->
                                    workers.get(0)
                                            .withTimeout(Duration.ofMillis(50))
                                            .rpcSync("worker1", Traced::hold));
                    assertFailed(spans.one(SpanKind.CLIENT, "hold"), "TIMEOUT", "");
                    Gate.of(workers.get(1)).release();
                },
                "spans",
                "spans");
        assertEquals(StatusData.unset(), spans.one(SpanKind.SERVER, "hold").getStatus());
    }

    @Test
    void aCancelledCallEndsAtOnceForItsCaller() throws Exception {
        TracedGroup.run(
                workers -> {
                    RpcFuture<String> held = workers.get(0).rpcAsync("worker1", Traced::hold);
                    Gate.of(workers.get(1)).awaitEntered();
                    held.cancel();
                    assertFailed(spans.one(SpanKind.CLIENT, "hold"), "CANCELLED", "was cancelled");
                    assertThrows(RpcException.class, held::join);
                },
                "spans",
                "spans");
        assertFailed(spans.one(SpanKind.SERVER, "hold"), "java.lang.InterruptedException", "");
        assertEquals(2, spans.all().size());
    }

    @Test
    void requestsServedByAWaitingThreadAreNotInItsSpan() throws Exception {
        TracedGroup.run(
                workers ->
                        within(
                                "program",
                                () -> {
                                    String here = Thread.currentThread().getName();
                                    String servedBy;
                                    do {
                                        servedBy =
                                                workers.get(0)
                                                        .rpcSync(
                                                                "worker1",
                                                                Traced::whereOn,
                                                                "worker0");
                                    } while (!servedBy.equals(here));
                                }),
                "spans",
                "off");
        List<SpanData> served = spans.all(SpanKind.SERVER, "tests::where");
        assertFalse(served.isEmpty());
        for (SpanData span : served) {
            assertFalse(span.getParentSpanContext().isValid(), span::toString);
        }
    }

    @Test
    void anOperatorIsACallToo() throws Exception {
        TracedGroup.run(
                workers -> workers.get(0).rpcSync("worker1", Where::where), "spans", "spans");
        assertParent(
                spans.one(SpanKind.CLIENT, "tests::where"),
                spans.one(SpanKind.SERVER, "tests::where"));
    }

    @Test
    void aFailingObserverStopsNoCall() throws Exception {
        for (String where : List.of("begin", "end")) {
            TracedGroup.run(
                    workers -> {
                        Rpc rpc = workers.get(0);
                        rpc.rpcSync("worker1", Traced::current);
                        assertEquals(
                                4,
                                rpc.rpcAsync("worker1", Traced::current)
                                        .then(done -> done.value().size())
                                        .join());
                        assertThrows(
                                RemoteException.class,
                                () -> rpc.rpcSync("worker1", Traced::fail, "no tea"));
                    },
                    List.of(
                            Map.of(FailingObserver.KEY, where),
                            Map.of(FailingObserver.KEY, where)));
        }
        assertEquals(6, spans.all(SpanKind.SERVER, "").size());
        assertEquals(6, spans.all(SpanKind.CLIENT, "").size());
    }
}
