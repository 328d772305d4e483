package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReference;

/** The state of a worker: joining, member, leaving, stopped. Thread-safe. */
final class WorkerState {
    static final String NOT_INITIALIZED = "RPC has not been initialized. Call Rpc.init first.";

    private enum Phase {
        JOINING,
        MEMBER,
        LEAVING,
        STOPPED
    }

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.JOINING);
    private final AtomicReference<@Nullable String> reason =
            new AtomicReference<>(null); // set before it stops

    void join() {
        phase.set(Phase.MEMBER);
    }

    /** Begin to leave; {@return false when the worker is not a member} */
    boolean tryLeave() {
        return phase.compareAndSet(Phase.MEMBER, Phase.LEAVING);
    }

    /**
     * Stop.
     *
     * @param why message of the failures of later calls
     * @return false when the worker has stopped before
     */
    boolean tryStop(String why) {
        reason.compareAndSet(null, why);
        return phase.getAndSet(Phase.STOPPED) != Phase.STOPPED;
    }

    boolean isStopped() {
        return phase.get() == Phase.STOPPED;
    }

    /**
     * Check that the worker has not stopped.
     *
     * @throws RpcException when it has
     */
    void requireOpen() {
        if (isStopped()) {
            throw new RpcException(RpcErrorKind.SHUTDOWN, String.valueOf(reason.get()));
        }
    }
}
