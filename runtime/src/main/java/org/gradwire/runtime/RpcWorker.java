package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.GroupView.MemberSubscription;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.Script;
import org.gradwire.rpc.Serialization;
import org.gradwire.rpc.WaitAll;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.rpc.WorkerLocals;
import org.gradwire.runtime.call.CallsWithOptions;
import org.gradwire.runtime.call.RpcTimeout;
import org.gradwire.runtime.call.ScriptRunner;
import org.gradwire.runtime.call.WorkerCalls;
import org.gradwire.runtime.collective.AllGather;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.group.DynamicGroup;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.thread.WorkerThreads;
import org.gradwire.runtime.workers.MemberGroup;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The application's view of a worker. Thread-safe. */
final class RpcWorker implements Rpc, Worker.Facade {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rpc");

    private final ExtensionWorker extensionView;
    private final WorkerContext context;
    private final WorkerState state;
    private final Members members;
    private final WorkerThreads threads;
    private final RpcTimeout timeout;
    private final WorkerLocals locals = new LocalObjects();
    private volatile @Nullable Parts parts; // set once, before the worker joins

    /**
     * The parts of a worker that are created after its extensions, which refer to the worker
     * already.
     *
     * @param metrics together are {@link Rpc#debugInfo}; later ones overwrite earlier ones
     */
    record Parts(
            WorkerCalls calls,
            RRefContext rrefs,
            Serialization serialization,
            ScriptRunner scripts,
            AllGather allGather,
            WorkerShutdown shutdown,
            List<Supplier<Map<String, String>>> metrics) {}

    RpcWorker(
            ExtensionWorker extensionView,
            WorkerContext context,
            WorkerState state,
            Members members,
            WorkerThreads threads,
            RpcTimeout timeout) {
        this.extensionView = extensionView;
        this.context = context;
        this.state = state;
        this.members = members;
        this.threads = threads;
        this.timeout = timeout;
    }

    void connect(Parts made) {
        parts = made;
    }

    private Parts parts() {
        return Objects.requireNonNull(parts, "the worker is still starting");
    }

    private WorkerCalls calls() {
        return parts().calls;
    }

    static Rpc current() {
        Rpc worker = WorkerThreads.currentWorker();
        if (worker == null) {
            throw new RpcException(
                    WorkerState.NOT_INITIALIZED
                            + " (This thread runs no function of a worker; use the Rpc that init returned.)");
        }
        return worker;
    }

    @Override
    public Worker extensionView() {
        return extensionView;
    }

    @Override
    public WorkerInfo self() {
        return context.self();
    }

    @Override
    public WorkerInfo worker(String name) {
        state.requireOpen();
        return members.byName(name);
    }

    @Override
    public WorkerInfo worker(int id) {
        state.requireOpen();
        return members.byId(id);
    }

    @Override
    public List<WorkerInfo> workers() {
        state.requireOpen();
        return members.all();
    }

    @Override
    public WorkerGroup workers(String pattern) {
        return MemberGroup.matching(this, calls(), pattern);
    }

    @Override
    public WorkerGroup workers(Collection<String> names) {
        return MemberGroup.named(this, calls(), names);
    }

    @Override
    public GroupView view() {
        state.requireOpen();
        return members.events().view();
    }

    @Override
    public int quorum() {
        return isDynamic()
                ? context.settings().integer(RuntimeSettings.QUORUM, 1, Short.MAX_VALUE)
                : view().members().size();
    }

    @Override
    public boolean isDynamic() {
        return context.group() instanceof DynamicGroup;
    }

    @Override
    public GroupView awaitView(Predicate<GroupView> condition, Duration limit) {
        state.requireOpen();
        try {
            GroupView view = members.events().await(condition, CallOptions.positive(limit));
            state.requireOpen();
            return view;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while waiting for members of the group");
        }
    }

    @Override
    public MemberSubscription onMember(Consumer<? super MemberEvent> listener) {
        state.requireOpen();
        if (!isDynamic()) {
            throw new RpcException(
                    "the members of a static group do not change; set %s=dynamic for events of members"
                            .formatted(RuntimeSettings.GROUP));
        }
        return members.events().listen(listener);
    }

    @Override
    public Optional<Duration> rpcTimeout() {
        return Optional.of(timeout.get()).filter(limit -> !limit.isZero());
    }

    @Override
    public void rpcTimeout(Duration newTimeout) {
        timeout.set(newTimeout);
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(String to, Call<R> call) {
        return calls().rpcAsync(calls().destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(String to, Call<R> call) {
        return calls().<R>rpcSync(calls().destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(String to, Call<R> call) {
        return calls().remote(calls().destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public RpcCalls withTimeout(Duration limit) {
        return new CallsWithOptions(calls(), CallOptions.NONE.withTimeout(limit));
    }

    @Override
    public RpcCalls withoutTimeout() {
        return new CallsWithOptions(calls(), CallOptions.NONE.withoutTimeout());
    }

    @Override
    public RpcCalls withRetry(RetryPolicy policy) {
        return new CallsWithOptions(calls(), CallOptions.NONE.withRetry(policy));
    }

    @Override
    public <T extends @Nullable Object> RRef<T> rref(T value) {
        state.requireOpen();
        return parts().rrefs.local(value);
    }

    @Override
    public <T> RRef<T> rref(T value, Class<T> moduleInterface) {
        state.requireOpen();
        return parts().rrefs.local(value, moduleInterface);
    }

    @Override
    public Serialization serialization() {
        return parts().serialization;
    }

    @Override
    public WorkerLocals locals() {
        return locals;
    }

    @Override
    public <T extends @Nullable Object> RpcPromise<T> promise() {
        state.requireOpen();
        return threads.newFuture();
    }

    @Override
    public Script script() {
        state.requireOpen();
        return parts().scripts;
    }

    @Override
    public WaitAll waitAll() {
        return calls().waitAll();
    }

    @Override
    public void barrier(Set<String> names) {
        state.requireOpen();
        try {
            parts().allGather.gather(null, names, timeout.get(), timeout.get());
        } catch (RpcException e) {
            String text = "Failed to complete barrier, got error " + e.getMessage();
            if (context.settings()
                    .choice(RuntimeSettings.BARRIER_FAILURE, List.of("raise", "log"))
                    .equals("raise")) {
                throw new RpcException(e.kind(), text, e);
            }
            LOGGER.log(System.Logger.Level.ERROR, text);
        }
    }

    @Override
    public <T extends @Nullable Object> Map<String, T> allGather(T value, Set<String> names) {
        return gather(value, names, null);
    }

    @Override
    public <T extends @Nullable Object> Map<String, T> allGather(
            T value, Set<String> names, Duration limit) {
        return gather(value, names, CallOptions.positive(limit));
    }

    @SuppressWarnings("unchecked") // all workers give values of the same type
    private <T extends @Nullable Object> Map<String, T> gather(
            T value, Set<String> names, @Nullable Duration limit) {
        state.requireOpen();
        return (Map<String, T>) parts().allGather.gather(value, names, limit, timeout.get());
    }

    @Override
    public Map<String, String> debugInfo() {
        var info = new TreeMap<String, String>();
        parts().metrics.forEach(metrics -> info.putAll(metrics.get()));
        return info;
    }

    @Override
    public void shutdown() {
        parts().shutdown.shutdown(Duration.ZERO);
    }

    @Override
    public void shutdown(Duration limit) {
        parts().shutdown.shutdown(CallOptions.positive(limit));
    }

    @Override
    public void shutdownNow() {
        parts().shutdown.shutdownNow();
    }
}
