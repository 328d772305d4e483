package org.gradwire.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.RemoteFailure;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.CallObservation;
import org.gradwire.spi.CallObserver;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Times calls by function and outcome: {@code gradwire.client.calls} for the calls that the worker
 * makes, {@code gradwire.server.calls} for those that it serves.
 *
 * <p>The outcome is {@code SUCCESS}, {@code ERROR} when the function threw, or the {@link
 * RpcErrorKind} of a failed call. There is no tag for the class of the exception, whose values a
 * peer chooses.
 */
final class CallTimer implements CallObserver {
    private static final String CLIENT = "gradwire.client.calls";
    private static final String SERVER = "gradwire.server.calls";
    private static final String SUCCESS = "SUCCESS";
    private static final String ERROR = "ERROR";

    private record Key(String name, String function, String outcome) {}

    private final MeterRegistry registry;
    private final String worker;
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    CallTimer(MeterRegistry registry, String worker) {
        this.registry = registry;
        this.worker = worker;
    }

    @Override
    public CallObservation outgoing(FunctionSchema function, WorkerInfo to) {
        return new TimedCall(CLIENT, function.name());
    }

    @Override
    public CallObservation served(FunctionSchema function, WorkerInfo from) {
        return new TimedCall(SERVER, function.name());
    }

    private static String outcome(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> SUCCESS;
            case RemoteFailure _ -> ERROR;
            case RpcException e when e.kind() != RpcErrorKind.UNKNOWN -> e.kind().name();
            default -> ERROR;
        };
    }

    /** Cached here: a registry's look-up by name and tags can take longer than a call. */
    private Timer timer(Key key) {
        return timers.computeIfAbsent(
                key,
                _ ->
                        Timer.builder(key.name())
                                .tags("worker", worker)
                                .tags("function", key.function(), "outcome", key.outcome())
                                .register(registry));
    }

    private final class TimedCall implements CallObservation {
        private final String name;
        private final String function;
        private final long start = registry.config().clock().monotonicTime();

        TimedCall(String name, String function) {
            this.name = name;
            this.function = function;
        }

        @Override
        public void leave() {}

        @Override
        public void end(@Nullable Throwable failure) {
            long nanos = registry.config().clock().monotonicTime() - start;
            timer(new Key(name, function, outcome(failure))).record(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
