package org.gradwire.opentelemetry;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallObserver;
import org.gradwire.spi.RpcExtension;

import java.util.List;

/** The OpenTelemetry extension of one worker. */
final class OpenTelemetryExtension implements RpcExtension {
    private final TraceContextInterceptor interceptor;
    private final CallTracer tracer;

    OpenTelemetryExtension(WorkerInfo self, boolean spans) {
        var global = new GlobalTelemetry();
        this.interceptor = new TraceContextInterceptor(global);
        this.tracer = new CallTracer(self, spans, global, interceptor);
    }

    @Override
    public List<CallInterceptor> interceptors() {
        return List.of(interceptor);
    }

    @Override
    public List<CallObserver> observers() {
        return List.of(tracer);
    }
}
