package org.gradwire.runtime;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.call.ControlRetrier;
import org.gradwire.runtime.call.RequestSender;
import org.gradwire.runtime.group.DynamicGroup;
import org.gradwire.runtime.thread.WorkerThreads;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Worker;
import org.gradwire.spi.WorkerTime;
import org.gradwire.spi.process.CodePath;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** The extensions' view of a worker. Thread-safe. */
final class ExtensionWorker implements Worker {
    private final WorkerContext context;
    private final WorkerState state;
    private final WorkerThreads threads;
    private List<RpcExtension> extensions = List.of(); // these four set once, before it joins
    private @Nullable Rpc rpc;
    private @Nullable RequestSender requests;
    private @Nullable ControlRetrier control;

    ExtensionWorker(WorkerContext context, WorkerState state, WorkerThreads threads) {
        this.context = context;
        this.state = state;
        this.threads = threads;
    }

    /** Set the application's view of the worker, before the extensions are created. */
    void connect(Rpc worker) {
        rpc = worker;
    }

    void install(List<RpcExtension> installed) {
        extensions = installed;
    }

    /** Set the parts of the worker that are created after its extensions. */
    void connect(RequestSender workerRequests, ControlRetrier workerControl) {
        requests = workerRequests;
        control = workerControl;
    }

    @Override
    public Rpc rpc() {
        return Objects.requireNonNull(rpc);
    }

    @Override
    public WorkerInfo self() {
        return context.self();
    }

    @Override
    public int incarnation() {
        return context.group().incarnation();
    }

    @Override
    public boolean inDynamicGroup() {
        return context.group() instanceof DynamicGroup;
    }

    @Override
    public Settings settings() {
        return context.settings();
    }

    @Override
    public Optional<Class<?>> findMarkedClass(String name) {
        return Optional.ofNullable(context.classes().find(name));
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
    public <E extends RpcExtension> E extension(Class<E> type) {
        return extensions.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(
                                "extension %s is not installed; put its jar on the %s"
                                        .formatted(type.getName(), CodePath.of(type))));
    }

    @Override
    public void linger() {
        threads.linger();
    }

    @Override
    public RpcFuture<Input> request(
            int to, int type, Consumer<Output> body, @Nullable Duration timeout) {
        state.requireOpen();
        return Objects.requireNonNull(requests).request(to, type, body, timeout);
    }

    @Override
    public RpcFuture<Input> requestWithRetries(
            int to, int type, Consumer<Output> body, RetryPolicy policy) {
        return Objects.requireNonNull(control).send(to, type, body, policy);
    }

    @Override
    public boolean isServing() {
        return threads.running().counts();
    }

    @Override
    public Executor executor() {
        return threads;
    }

    @Override
    public void executeLater(Duration delay, Runnable task) {
        Runnable start =
                () -> {
                    if (!state.isStopped()) {
                        threads.execute(task);
                    }
                };
        var _ = context.time().schedule(start, delay.toNanos());
    }
}
