package org.gradwire.runtime.call;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WaitAll;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.function.CallerOperator;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.profile.CallMode;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefType;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The calls of a program, with the checks and the default timeout applied. Thread-safe. */
public final class WorkerCalls {
    private final Runnable requireOpen;
    private final CallServices services;
    private final CallSender sender;
    private final RpcTimeout timeout;
    private final OpenScopes scopes = new OpenScopes();

    /**
     * Create the calls of a worker.
     *
     * @param requireOpen throws when the worker was shut down
     */
    public WorkerCalls(
            Runnable requireOpen, CallServices services, CallSender sender, RpcTimeout timeout) {
        this.requireOpen = requireOpen;
        this.services = services;
        this.sender = sender;
        this.timeout = timeout;
    }

    /** Open a scope that collects the futures of this thread's calls. */
    public WaitAll waitAll() {
        requireOpen.run();
        return scopes.open();
    }

    /** Return the worker with a name. */
    public WorkerInfo destination(String name) {
        requireOpen.run();
        return services.members().byName(name);
    }

    /**
     * Call a function.
     *
     * @param referent the reference on whose value a method is called; null for any other function
     */
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(
            WorkerInfo to, Call<R> call, @Nullable RRef<?> referent, CallOptions options) {
        CallFuture<R> future = call(CallMode.ASYNC, to, call, referent, options);
        if (scopes.isAnyOpen() && isOfProgram(call)) {
            scopes.add(future);
        }
        return future;
    }

    /** {@return whether a call is not a part of another, or of a stream} */
    private boolean isOfProgram(Call<?> call) {
        RemoteFunction function = services.functions().resolve(call.function()).function();
        return !(function.operator() instanceof CallerOperator);
    }

    /**
     * Call a function as one of several calls that belong together: the scopes of {@link #waitAll}
     * do not collect it.
     */
    public <R extends @Nullable Object> CallFuture<R> start(
            WorkerInfo to, Call<R> call, CallOptions options) {
        return call(CallMode.ASYNC, to, call, null, options);
    }

    /** Return a future of several calls, which the scopes of {@link #waitAll} collect. */
    public <R extends @Nullable Object> CallFuture<R> newCollected() {
        CallFuture<R> future = services.threads().newFuture();
        scopes.add(future);
        return future;
    }

    /** Return a future of a part of a call. */
    public <R extends @Nullable Object> CallFuture<R> newFuture() {
        return services.threads().newFuture();
    }

    /** Run a task on a thread of the worker. */
    public void execute(Runnable task) {
        services.threads().execute(task);
    }

    /** {@return the timeout of calls with these options; zero means none} */
    public Duration limit(CallOptions options) {
        return timeout.orDefault(options.timeout());
    }

    /** {@return the number of calls to a worker that have not ended} */
    public int inFlight(WorkerInfo to) {
        return sender.flows().to(to.id()).callCount();
    }

    /** Close the references in a result that no program receives. */
    public void closeReferences(@Nullable Object result) {
        services.codec().values().findIn(result, RRef.class, WorkerCalls::close);
    }

    private static void close(RRef<?> reference) {
        reference.close();
    }

    /** Call a function as {@link #rpcAsync}, and wait for the result. */
    public <R extends @Nullable Object> R rpcSync(
            WorkerInfo to, Call<R> call, @Nullable RRef<?> referent, CallOptions options) {
        return call(CallMode.SYNC, to, call, referent, options).join();
    }

    private <R extends @Nullable Object> CallFuture<R> call(
            CallMode mode,
            WorkerInfo to,
            Call<R> call,
            @Nullable RRef<?> referent,
            CallOptions options) {
        requireOpen.run();
        Duration limit = timeout.orDefault(options.timeout());
        return sender.call(mode, to, call, referent, limit, options.retry());
    }

    /** Call a function as {@link #rpcAsync}, and leave the result on the callee. */
    public <R extends @Nullable Object> RRef<R> remote(
            WorkerInfo to, Call<R> call, @Nullable RRef<?> referent, CallOptions options) {
        requireOpen.run();
        Duration limit = timeout.orDefault(options.timeout());
        return sender.remote(to, call, referent, limit, options.retry());
    }

    /**
     * Fetch the value of a reference.
     *
     * @param ownTimeout null means the worker's
     */
    public CallFuture<@Nullable Object> fetch(
            WorkerInfo owner,
            GloballyUniqueId rrefId,
            RRefType type,
            @Nullable Duration ownTimeout) {
        requireOpen.run();
        return sender.fetch(owner, rrefId, type, timeout.orDefault(ownTimeout));
    }
}
