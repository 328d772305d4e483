package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.call.ControlRetrier;
import org.gradwire.runtime.call.ScriptRunner;
import org.gradwire.runtime.call.WorkerCalls;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.rref.CreationSites;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefHost;
import org.gradwire.runtime.rref.RRefType;
import org.gradwire.runtime.rref.SavingScopes;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.runtime.thread.WorkerThreads;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.Worker;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/** Connects the references of a worker to its calls, control messages and threads. */
final class ReferenceHost implements RRefHost {
    private final WorkerContext context;
    private final Members members;
    private final WorkerThreads threads;
    private final InFlightCounter unsent;
    private final CreationSites sites;
    private final SavingScopes saving;
    private @Nullable ControlRetrier control; // these two set once, before the worker joins
    private @Nullable WorkerCalls calls;

    ReferenceHost(
            WorkerContext context,
            Members members,
            WorkerThreads threads,
            InFlightCounter unsent,
            CreationSites sites,
            SavingScopes saving) {
        this.context = context;
        this.members = members;
        this.threads = threads;
        this.unsent = unsent;
        this.sites = sites;
        this.saving = saving;
    }

    /** Set the parts of the worker that are created after its references. */
    void connect(ControlRetrier workerControl, WorkerCalls workerCalls) {
        control = workerControl;
        calls = workerCalls;
    }

    @Override
    public @Nullable String creationSite() {
        return sites.here();
    }

    @Override
    public WorkerInfo self() {
        return context.self();
    }

    @Override
    public WorkerTime time() {
        return context.time();
    }

    @Override
    public long newSecret() {
        return context.secrets().next();
    }

    @Override
    public WorkerInfo worker(int id) {
        return members.byIdIncludingLost(id);
    }

    @Override
    public boolean inScript() {
        return ScriptRunner.inScript();
    }

    @Override
    public boolean savesReferences() {
        return saving.isOpen();
    }

    @Override
    public void beginUnsent() {
        unsent.begin();
    }

    @Override
    public void endUnsent() {
        unsent.end();
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    @Override
    public <T extends @Nullable Object> CallFuture<T> newFuture() {
        return threads.newFuture();
    }

    @Override
    public CallFuture<@Nullable Void> sendControl(int to, int type, Consumer<Output> body) {
        return send(to, type, body, _ -> null);
    }

    @Override
    public CallFuture<Boolean> askControl(int to, int type, Consumer<Output> body) {
        return send(to, type, body, Input::readBoolean);
    }

    private <T extends @Nullable Object> CallFuture<T> send(
            int to, int type, Consumer<Output> body, Function<Input, T> read) {
        CallFuture<T> sent = threads.newInlineFuture();
        Objects.requireNonNull(control)
                .send(to, type, body, Worker.CONTROL_RETRY_POLICY)
                .whenEnded((reply, failure) -> {
                    if (failure != null) {
                        sent.fail(failure);
                        return;
                    }
                    try {
                        sent.complete(read.apply(Objects.requireNonNull(reply)));
                    } catch (DecodingException e) {
                        sent.fail(e);
                    }
                });
        return sent;
    }

    private WorkerCalls calls() {
        return Objects.requireNonNull(calls);
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(
            RRef<?> referent, Call<R> method, CallOptions options) {
        return calls().rpcAsync(referent.owner(), method, referent, options);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(
            RRef<?> referent, Call<R> method, CallOptions options) {
        return calls().<R>rpcSync(referent.owner(), method, referent, options);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(
            RRef<?> referent, Call<R> method, CallOptions options) {
        return calls().remote(referent.owner(), method, referent, options);
    }

    @Override
    public CallFuture<@Nullable Object> fetch(
            WorkerInfo owner, GloballyUniqueId rrefId, RRefType type, @Nullable Duration timeout) {
        return calls().fetch(owner, rrefId, type, timeout);
    }
}
