package org.gradwire.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

import org.gradwire.opentelemetry.GlobalTelemetry.Telemetry;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.CallObservation;
import org.gradwire.spi.CallObserver;
import org.jspecify.annotations.Nullable;

/**
 * Creates the spans of calls, by OpenTelemetry's semantic conventions for RPC, and propagates
 * contexts to requests and callbacks.
 */
final class CallTracer implements CallObserver {
    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system.name");
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
    private static final AttributeKey<String> CALLEE = AttributeKey.stringKey("server.address");
    private static final AttributeKey<String> CALLER = AttributeKey.stringKey("gradwire.caller");

    private final WorkerInfo self;
    private final boolean spans;
    private final GlobalTelemetry global;
    private final TraceContextInterceptor interceptor;

    CallTracer(
            WorkerInfo self,
            boolean spans,
            GlobalTelemetry global,
            TraceContextInterceptor interceptor) {
        this.self = self;
        this.spans = spans;
        this.global = global;
        this.interceptor = interceptor;
    }

    @Override
    public @Nullable CallObservation outgoing(FunctionSchema function, WorkerInfo to) {
        Telemetry telemetry = global.find();
        if (telemetry == null) {
            return null;
        }
        Context context = Context.current();
        if (spans) {
            Span span = start(telemetry, SpanKind.CLIENT, function, context, self, to);
            return new ObservedCall(span, carry(context.with(span)));
        }
        return context.equals(Context.root())
                ? null
                : new ObservedCall(Span.getInvalid(), carry(context));
    }

    /** Attach a context to the next request; {@return an action that detaches it} */
    private Runnable carry(Context context) {
        Context before = interceptor.carry(context);
        return () -> {
            var _ = interceptor.carry(before);
        };
    }

    @Override
    public @Nullable CallObservation served(FunctionSchema function, WorkerInfo from) {
        Telemetry telemetry = global.find();
        if (telemetry == null || !spans) {
            return null;
        }
        Context context = Context.current();
        Span span = start(telemetry, SpanKind.SERVER, function, context, from, self);
        Scope scope = ContextScope.attach(context.with(span));
        return new ObservedCall(span, scope::close);
    }

    private static Span start(
            Telemetry telemetry,
            SpanKind kind,
            FunctionSchema function,
            Context parent,
            WorkerInfo caller,
            WorkerInfo callee) {
        return telemetry
                .tracer()
                .spanBuilder(function.name())
                .setParent(parent)
                .setSpanKind(kind)
                .setAttribute(SYSTEM, "gradwire")
                .setAttribute(METHOD, function.name())
                .setAttribute(CALLEE, callee.name())
                .setAttribute(CALLER, caller.name())
                .startSpan();
    }

    @Override
    public Runnable carry(Runnable callback) {
        Context context = Context.current();
        return context.equals(Context.root()) ? callback : context.wrap(callback);
    }
}
