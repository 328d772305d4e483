package org.gradwire.spring.worker;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.CallObservation;
import org.gradwire.spi.CallObserver;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What beans ask of one worker: which peers it has lost, how long its end may take, and to let an
 * observer see its calls. Thread-safe.
 */
public final class SpringExtension implements RpcExtension, CallObserver {
    private final Duration shutdownTimeout;
    private final boolean inDynamicGroup;
    private final Map<Integer, RpcException> lost = new ConcurrentHashMap<>();
    private volatile @Nullable CallObserver observer;

    SpringExtension(Duration shutdownTimeout, boolean inDynamicGroup) {
        this.shutdownTimeout = shutdownTimeout;
        this.inDynamicGroup = inDynamicGroup;
    }

    /** {@return that of a worker; empty when the program made its {@code Rpc} itself} */
    public static Optional<SpringExtension> of(Rpc rpc) {
        return rpc instanceof Worker worker
                ? Optional.of(worker.extension(SpringExtension.class))
                : Optional.empty();
    }

    /** {@return how long to wait for the others at the end; zero means without end} */
    public Duration shutdownTimeout() {
        return shutdownTimeout;
    }

    /**
     * {@return why peers were lost, by their ids} Empty in a dynamic group, which goes on without
     * those it has lost.
     */
    public Map<Integer, RpcException> lost() {
        return inDynamicGroup ? Map.of() : new TreeMap<>(lost);
    }

    /** Let an observer see all later calls, instead of the one before. */
    public void observe(CallObserver newObserver) {
        observer = newObserver;
    }

    @Override
    public void onPeerLost(int peer, RpcException reason) {
        lost.put(peer, reason);
    }

    @Override
    public List<CallObserver> observers() {
        return List.of(this);
    }

    @Override
    public @Nullable CallObservation outgoing(FunctionSchema function, WorkerInfo to) {
        CallObserver current = observer;
        return current == null ? null : current.outgoing(function, to);
    }

    @Override
    public @Nullable CallObservation served(FunctionSchema function, WorkerInfo from) {
        CallObserver current = observer;
        return current == null ? null : current.served(function, from);
    }
}
