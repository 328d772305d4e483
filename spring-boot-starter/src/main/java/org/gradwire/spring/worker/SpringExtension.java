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
 * The beans' access to one worker: its lost peers, its shutdown timeout, and an observer of its
 * calls. Thread-safe.
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

    /** {@return the extension of a worker; empty if the program created its {@code Rpc} itself} */
    public static Optional<SpringExtension> of(Rpc rpc) {
        return rpc instanceof Worker.Facade facade
                ? Optional.of(facade.extensionView().extension(SpringExtension.class))
                : Optional.empty();
    }

    /** {@return the timeout of an orderly shutdown; zero means without a timeout} */
    public Duration shutdownTimeout() {
        return shutdownTimeout;
    }

    /**
     * {@return the causes of lost peers, by id} Empty in a dynamic group, which continues without
     * lost peers.
     */
    public Map<Integer, RpcException> lost() {
        return inDynamicGroup ? Map.of() : new TreeMap<>(lost);
    }

    /** Register the observer of all later calls; it replaces the previous one. */
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
