package org.gradwire.runtime.rref;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.Output;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/** The references' view of a worker. */
public interface RRefHost {

    WorkerInfo self();

    WorkerTime time();

    /** {@return a number that no peer can guess} */
    long newSecret();

    /** {@return a member of the group} */
    WorkerInfo worker(int id);

    /** {@return whether this thread runs a script function, for which error texts differ} */
    boolean inScript();

    /** {@return whether this thread may write references into bytes} */
    boolean savesReferences();

    /** {@return the line of the program that creates a reference; null if not recorded} */
    @Nullable String creationSite();

    /** Count a control message that waits to be sent: the group must not end before it is sent. */
    void beginUnsent();

    /** Stop counting a control message that was sent or has failed. */
    void endUnsent();

    /** Run a task on one of the worker's threads. */
    void execute(Runnable task);

    /** Return a new future whose callbacks run on the worker's threads. */
    <T extends @Nullable Object> CallFuture<T> newFuture();

    /** Send a control message until it is acknowledged; the future's listeners run on a poller. */
    CallFuture<@Nullable Void> sendControl(int to, int type, Consumer<Output> body);

    /** Send a control message as {@link #sendControl}, with a boolean reply. */
    CallFuture<Boolean> askControl(int to, int type, Consumer<Output> body);

    /** Call a method of a reference's value on its owner. */
    <R extends @Nullable Object> RpcFuture<R> rpcAsync(
            RRef<?> referent, Call<R> method, CallOptions options);

    /** Call a method as {@link #rpcAsync}, and wait for the result. */
    <R extends @Nullable Object> R rpcSync(RRef<?> referent, Call<R> method, CallOptions options);

    /** Call a method as {@link #rpcAsync}, and leave the result on the owner. */
    <R extends @Nullable Object> RRef<R> remote(
            RRef<?> referent, Call<R> method, CallOptions options);

    /**
     * Fetch a value from its owner.
     *
     * @param timeout null means the worker's default
     */
    CallFuture<@Nullable Object> fetch(
            WorkerInfo owner, GloballyUniqueId rrefId, RRefType type, @Nullable Duration timeout);
}
