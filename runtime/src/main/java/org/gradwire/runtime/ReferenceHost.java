package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.CreationSites;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefHost;
import org.gradwire.runtime.rref.RRefType;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/** Sends what a worker's references have to say. */
final class ReferenceHost implements RRefHost {
    private final RpcWorker worker;
    private final CreationSites sites;

    ReferenceHost(RpcWorker worker, CreationSites sites) {
        this.worker = worker;
        this.sites = sites;
    }

    @Override
    public @Nullable String creationSite() {
        return sites.here();
    }

    @Override
    public WorkerInfo self() {
        return worker.self();
    }

    @Override
    public WorkerTime time() {
        return worker.time();
    }

    @Override
    public long newSecret() {
        return worker.newSecret();
    }

    @Override
    public WorkerInfo worker(int id) {
        return worker.members().everKnown(id);
    }

    @Override
    public boolean inScript() {
        return ScriptRunner.inScript();
    }

    @Override
    public boolean savesReferences() {
        return worker.bytes().savesReferences();
    }

    @Override
    public void beginUnsent() {
        worker.unsent().begin();
    }

    @Override
    public void endUnsent() {
        worker.unsent().end();
    }

    @Override
    public void execute(Runnable task) {
        worker.threads().execute(task);
    }

    @Override
    public <T extends @Nullable Object> CallFuture<T> newFuture() {
        return worker.threads().newFuture();
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
            int to, int type, Consumer<Output> body, Function<Input, T> answer) {
        CallFuture<T> sent = worker.threads().newInlineFuture();
        worker.sendWithRetries(to, type, body, RetryPolicy.DEFAULT)
                .whenEnded((reply, failure) -> {
                    if (failure != null) {
                        sent.fail(failure);
                        return;
                    }
                    try {
                        sent.complete(answer.apply(Objects.requireNonNull(reply)));
                    } catch (DecodingException e) {
                        sent.fail(e);
                    }
                });
        return sent;
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(
            RRef<?> referent, Call<R> method, CallOptions options) {
        return worker.calls().rpcAsync(referent.owner(), method, referent, options);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(
            RRef<?> referent, Call<R> method, CallOptions options) {
        return worker.calls().<R>rpcSync(referent.owner(), method, referent, options);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(
            RRef<?> referent, Call<R> method, CallOptions options) {
        return worker.calls().remote(referent.owner(), method, referent, options);
    }

    @Override
    public CallFuture<@Nullable Object> fetch(
            WorkerInfo owner, GloballyUniqueId rrefId, RRefType type, @Nullable Duration timeout) {
        return worker.calls().fetch(owner, rrefId, type, timeout);
    }
}
