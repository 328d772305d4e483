package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.PendingCalls;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The termination state of an agent: whether the end has begun, and the failure of calls.
 * Thread-safe.
 */
final class AgentTermination {

    /**
     * The reason of the end.
     *
     * @param failure null when the worker closed the agent
     */
    private record Cause(@Nullable RpcException failure) {}

    private final WorkerInfo self;
    private final AtomicReference<@Nullable Cause> cause = new AtomicReference<>();
    private volatile boolean hasFailed;

    AgentTermination(WorkerInfo self) {
        this.self = self;
    }

    WorkerInfo self() {
        return self;
    }

    /** Begin the end on {@link TensorPipeAgent#close}; no effect after the first cause. */
    void onClosed() {
        cause.compareAndSet(null, new Cause(null));
    }

    /** Begin the end because of a failure, such as the loss of the media driver. */
    void onFailure(RpcException failure) {
        hasFailed = true;
        cause.compareAndSet(null, new Cause(failure));
    }

    boolean isRunning() {
        return cause.get() == null;
    }

    /** {@return whether a failure has occurred: nothing can be sent to peers then} */
    boolean hasFailed() {
        return hasFailed;
    }

    /** {@return whether a failure, rather than the worker, ended the agent} */
    boolean isByFailure() {
        Cause known = cause.get();
        return known != null && known.failure != null;
    }

    /** {@return the failure of a new call; null while the agent runs} */
    @Nullable RpcException newCallFailure(int messageType) {
        Cause known = cause.get();
        if (known == null) {
            return null;
        }
        return known.failure != null ? known.failure : PendingCalls.closed(self.id(), messageType);
    }

    /** {@return the failure of a call that was pending when the end began} */
    RpcException pendingCallFailure() {
        Cause known = cause.get();
        if (known != null && known.failure != null) {
            return new RpcConnectionException(String.valueOf(known.failure.getMessage()));
        }
        return new RpcException(
                RpcErrorKind.SHUTDOWN,
                "The call of Node %d was pending but RPC is no longer running on this node."
                        .formatted(self.id()));
    }
}
