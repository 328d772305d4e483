package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.profile.CallMode;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefType;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The calls that programs make through a worker, while it is open, and the timeout of those that
 * have none of their own.
 */
final class WorkerCalls {
    private final Runnable requireOpen;
    private final Members members;
    private final CallSender sender;
    private final OpenScopes scopes;
    private volatile Duration timeout;

    WorkerCalls(
            Runnable requireOpen,
            Members members,
            CallSender sender,
            OpenScopes scopes,
            Duration timeout) {
        this.requireOpen = requireOpen;
        this.members = members;
        this.sender = sender;
        this.scopes = scopes;
        this.timeout = timeout;
    }

    Duration timeout() {
        return timeout;
    }

    void timeout(Duration newTimeout) {
        timeout = CallOptions.nonNegative(newTimeout);
    }

    WorkerInfo destination(String name) {
        requireOpen.run();
        return members.byName(name);
    }

    WorkerInfo destination(WorkerInfo info) {
        requireOpen.run();
        return members.require(info);
    }

    /**
     * Call a function.
     *
     * @param referent reference to the value whose method it is; null for any other function
     */
    <R extends @Nullable Object> RpcFuture<R> rpcAsync(
            WorkerInfo to, Call<R> call, @Nullable RRef<?> referent, CallOptions options) {
        requireOpen.run();
        CallFuture<R> future =
                sender.call(
                        CallMode.ASYNC,
                        to,
                        call,
                        referent,
                        orDefault(options.timeout()),
                        options.retry());
        scopes.add(future);
        return future;
    }

    /** As {@link #rpcAsync}, and wait for the result. */
    <R extends @Nullable Object> R rpcSync(
            WorkerInfo to, Call<R> call, @Nullable RRef<?> referent, CallOptions options) {
        requireOpen.run();
        return sender.call(
                        CallMode.SYNC,
                        to,
                        call,
                        referent,
                        orDefault(options.timeout()),
                        options.retry())
                .join();
    }

    /** As {@link #rpcAsync}, and leave the result on the callee. */
    <R extends @Nullable Object> RRef<R> remote(
            WorkerInfo to, Call<R> call, @Nullable RRef<?> referent, CallOptions options) {
        requireOpen.run();
        return sender.remote(to, call, referent, orDefault(options.timeout()), options.retry());
    }

    /**
     * Fetch the value of a reference.
     *
     * @param ownTimeout null means the worker's
     */
    CallFuture<@Nullable Object> fetch(
            WorkerInfo owner,
            GloballyUniqueId rrefId,
            RRefType type,
            @Nullable Duration ownTimeout) {
        requireOpen.run();
        return sender.fetch(owner, rrefId, type, orDefault(ownTimeout));
    }

    private Duration orDefault(@Nullable Duration ownTimeout) {
        return ownTimeout == null ? timeout : CallOptions.nonNegative(ownTimeout);
    }
}
