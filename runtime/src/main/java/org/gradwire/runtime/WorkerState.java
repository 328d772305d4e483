package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The state of a worker: joining, member, leaving, stopped. Thread-safe. */
final class WorkerState {
    static final String NOT_INITIALIZED = "RPC has not been initialized. Call Rpc.init first.";

    private enum Phase {
        JOINING,
        MEMBER,
        LEAVING,
        STOPPED
    }

    private final Supplier<@Nullable String> lapse;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.JOINING);
    private final AtomicReference<@Nullable String> reason =
            new AtomicReference<>(null); // set before it stops

    /**
     * Create the state of a worker that joins.
     *
     * @param lapse returns the reason why this worker may no longer be a member; null if it is
     */
    WorkerState(Supplier<@Nullable String> lapse) {
        this.lapse = lapse;
    }

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
     * Check that the worker has not stopped and is a member.
     *
     * @throws RpcException with the reason
     */
    void requireOpen() {
        String why = isStopped() ? String.valueOf(reason.get()) : lapse.get();
        if (why != null) {
            throw new RpcException(RpcErrorKind.SHUTDOWN, why);
        }
    }
}
