package org.gradwire.opentelemetry.tests.functions;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.ScriptFunction;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Functions that return the trace in which they run. */
public final class Traced {
    private static final long LIMIT_SECONDS = 60;

    private Traced() {}

    /** {@return trace, span, whether it is sampled, and the user named by the baggage} */
    @RemoteCallable
    public static List<String> current() {
        SpanContext span = Span.current().getSpanContext();
        return List.of(
                span.getTraceId(),
                span.getSpanId(),
                Boolean.toString(span.isSampled()),
                String.valueOf(Baggage.current().getEntryValue("user")));
    }

    @ScriptFunction
    public static List<String> scripted() {
        return current();
    }

    @RemoteCallable
    public static List<String> relay(String worker) {
        return Rpc.current().rpcSync(worker, Traced::current);
    }

    @RemoteCallable
    public static Object echo(Object value) {
        return value;
    }

    @RemoteCallable
    public static String fail(String why) {
        throw new IllegalStateException(why);
    }

    /** Call a worker, and call it again after its reply. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<List<String>> twice(String worker) {
        Rpc rpc = Rpc.current();
        return rpc.rpcAsync(worker, Traced::current)
                .then(_ -> rpc.rpcSync(worker, Traced::current));
    }

    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<String> failLater(String worker) {
        return Rpc.current().rpcAsync(worker, Traced::fail, "no tea");
    }

    /** {@return the thread that runs an operator on a worker} */
    @RemoteCallable
    public static String whereOn(String worker) {
        return Rpc.current().rpcSync(worker, Where::where);
    }

    /** Block until the gate opens. */
    @RemoteCallable
    public static String hold() throws InterruptedException {
        Gate gate = Gate.of(Rpc.current());
        gate.entered.countDown();
        gate.await(gate.released);
        return "released";
    }

    /** The gate of a worker, for which {@link #hold} waits. */
    public static final class Gate {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Gate() {}

        public static Gate of(Rpc rpc) {
            return rpc.locals().get(Gate.class, Gate::new);
        }

        public void awaitEntered() throws InterruptedException {
            await(entered);
        }

        public void release() {
            released.countDown();
        }

        private void await(CountDownLatch latch) throws InterruptedException {
            if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the gate did not open in time");
            }
        }
    }
}
