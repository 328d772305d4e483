package org.gradwire.runtime;

import org.gradwire.profiler.ServedProfiles;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.Script;
import org.gradwire.rpc.WaitAll;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.classes.MarkedClasses;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.function.FunctionCodec;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.profile.CallObservers;
import org.gradwire.runtime.profile.CallWatcher;
import org.gradwire.runtime.profile.ProfilingInterceptor;
import org.gradwire.runtime.rref.CreationSites;
import org.gradwire.runtime.rref.RRefCodec;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.rref.RRefHandlers;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.runtime.store.GroupStore;
import org.gradwire.runtime.wire.Values;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CodePath;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.Output;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.Settings;
import org.gradwire.spi.ValueCodec;
import org.gradwire.spi.Worker;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A worker: puts the parts together, and speaks for them to programs, to extensions and to the
 * agent.
 */
final class RpcWorker implements Rpc, Worker, Group.Host {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rpc");
    private static final String NOT_INITIALIZED =
            "RPC has not been initialized. Call torch.distributed.rpc.init_rpc first.";

    private enum State {
        JOINING,
        MEMBER,
        LEAVING,
        STOPPED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.JOINING);
    private final ReentrantLock leaving = new ReentrantLock();
    private final Settings settings;
    private final MarkedClasses classes;
    private final @Nullable Simulation simulation;
    private final WorkerTime time;
    private final SecretNumbers secrets;
    private final WorkerInfo self;
    private final Members members;
    private final String backend;
    private final RpcAgent agent;
    private final WorkerThreads threads;
    private final List<RpcExtension> extensions;
    private final CallObservers observers;
    private final RRefContext rrefs;
    private final ActiveCalls outgoing = new ActiveCalls();
    private final ActiveCalls unsent = new ActiveCalls(); // control messages
    private final RetriedCalls retried;
    private final KeptAnswers answers;
    private final CallSender sender;
    private final CallReceiver receiver;
    private final Retries retries;
    private final Gathering gathering;
    private final ScriptRunner scripts;
    private final Group group;
    private final OpenScopes scopes = new OpenScopes();
    private final WorkerCalls calls;
    private final ValueBytes bytes;
    private final UdfCodecs udfCodecs;
    private volatile @Nullable WorkerBean bean;
    private final Map<Class<?>, Object> locals = new ConcurrentHashMap<>();

    static Rpc join(RuntimeProvider runtime, LayeredSettings settings, UdfCodecs udfCodecs) {
        Optional<BackendProvider> named = runtime.backends().named(settings);
        named.ifPresent(backend -> addDefaults(settings, backend));
        boolean dynamic =
                settings.choice(RuntimeSettings.GROUP, List.of("static", "dynamic"))
                        .equals("dynamic");
        int size =
                dynamic
                        ? Short.MAX_VALUE
                        : settings.integer(RuntimeSettings.WORLD_SIZE, 1, Short.MAX_VALUE);
        WorkerInfo self = SelfInfo.read(settings, size);
        Duration timeout = CallOptions.nonNegative(settings.duration(RuntimeSettings.RPC_TIMEOUT));
        Simulation simulation = runtime.simulation(settings, self, dynamic ? 0 : size);
        GroupStore store = runtime.openStore(settings, self, dynamic ? 0 : size, timeout);
        Group group =
                dynamic
                        ? DynamicGroup.enter(self, store)
                        : new StaticGroup(self, size, store, timeout);
        RpcWorker worker = null;
        try {
            BackendProvider backend =
                    named.orElseGet(() ->
                            agreed(runtime, settings, self, store, timeout, dynamic ? 0 : size));
            worker =
                    new RpcWorker(
                            runtime,
                            settings,
                            self,
                            group,
                            store,
                            timeout,
                            backend,
                            udfCodecs,
                            simulation);
            worker.join();
            return worker;
        } catch (RuntimeException e) {
            if (worker == null) {
                group.close();
            } else {
                worker.stop();
            }
            throw e;
        }
    }

    private static void addDefaults(LayeredSettings settings, BackendProvider backend) {
        settings.addDefaults("the defaults of backend " + backend.name(), backend.defaults());
    }

    /** {@return the backend that the group agrees on; 0 workers: a dynamic one} */
    private static BackendProvider agreed(
            RuntimeProvider runtime,
            LayeredSettings settings,
            WorkerInfo self,
            GroupStore store,
            Duration timeout,
            int worldSize) {
        var agreement = new BackendAgreement(runtime.backends(), settings, store, self, timeout);
        BackendProvider backend =
                worldSize == 0 ? agreement.agreeInDynamicGroup() : agreement.agree(worldSize);
        addDefaults(settings, backend);
        return backend;
    }

    private RpcWorker(
            RuntimeProvider runtime,
            Settings settings,
            WorkerInfo self,
            Group group,
            GroupStore store,
            Duration timeout,
            BackendProvider backend,
            UdfCodecs udfCodecs,
            @Nullable Simulation simulation) {
        this.settings = settings;
        this.classes = runtime.classes();
        this.simulation = simulation;
        this.time = simulation == null ? WorkerTime.system() : simulation;
        this.secrets = SecretNumbers.of(self.id(), simulation);
        this.self = self;
        this.group = group;
        this.members = new Members(self);
        this.udfCodecs = udfCodecs;
        this.threads =
                new WorkerThreads(
                        this,
                        self.name(),
                        settings.integer(RuntimeSettings.MAX_RUNNING_CALLS, 1, Integer.MAX_VALUE),
                        outgoing,
                        simulation);
        var sites = new CreationSites(settings.flag(RuntimeSettings.RREF_CREATION_SITES));
        this.rrefs =
                new RRefContext(
                        new ReferenceHost(this, sites), runtime.cleaner(), group.incarnation());
        this.extensions =
                runtime.extensions().stream().map(provider -> provider.create(this)).toList();
        this.observers =
                new CallObservers(
                        extensions.stream()
                                .flatMap(extension -> extension.observers().stream())
                                .toList());
        List<ValueCodec<?>> codecs =
                new ArrayList<>(
                        List.of(new RRefCodec(rrefs), new FunctionCodec(runtime.functions())));
        extensions.forEach(extension -> codecs.addAll(extension.codecs()));
        var profiling = new ProfilingInterceptor(self.id(), ServedProfiles.of(this));
        List<CallInterceptor> interceptors = new ArrayList<>(List.of(profiling));
        extensions.forEach(extension -> interceptors.addAll(extension.interceptors()));
        var codec = new WireCodec(new Values(codecs, classes), interceptors);
        BufferAllocator allocator = Backends.allocator(extensions);
        this.bytes = new ValueBytes(codec, allocator, rrefs.saved());
        this.backend = backend.name();
        this.agent = backend.create(new AgentContext(self, settings, store, allocator, time));
        var callIds = new AtomicLong((long) group.incarnation() << KeptAnswers.INCARNATION_SHIFT);
        this.retried =
                new RetriedCalls(
                        RetryRules.of(settings),
                        callIds,
                        members,
                        agent,
                        time,
                        this::sendWithRetries);
        this.sender =
                new CallSender(
                        runtime.functions(),
                        codec,
                        threads,
                        rrefs,
                        agent,
                        outgoing,
                        callIds,
                        retried,
                        new CallWatcher(self, profiling, observers),
                        members,
                        settings.bytes(RuntimeSettings.PEER_WINDOW),
                        udfCodecs,
                        () -> state.get() == State.STOPPED);
        this.calls = new WorkerCalls(this::requireOpen, members, sender, scopes, timeout);
        this.retries =
                new Retries(
                        sender,
                        threads,
                        time,
                        unsent,
                        () -> state.get() == State.STOPPED,
                        members.lost()::containsKey);
        this.gathering = new Gathering(members, threads, sender, group::onLeaving);
        this.scripts = new ScriptRunner(runtime.functions(), threads, interceptors);
        List<RequestHandler> handlers = new ArrayList<>(RRefHandlers.of(rrefs));
        handlers.addAll(gathering.handlers());
        handlers.addAll(group.handlers());
        extensions.forEach(extension -> handlers.addAll(extension.handlers()));
        this.answers = new KeptAnswers(settings, group::place, members.lost()::containsKey);
        this.receiver =
                new CallReceiver(
                        members,
                        observers,
                        codec,
                        runtime.functions(),
                        threads,
                        rrefs,
                        sender.flows(),
                        udfCodecs,
                        answers,
                        Backends.callMemory(extensions).orElse(null),
                        handlers,
                        () -> state.get() == State.STOPPED);
    }

    private void join() {
        group.join(members, agent, this);
        requireSimulated();
        state.set(State.MEMBER);
        threads.runHere(() -> extensions.forEach(RpcExtension::onJoined));
        if (settings.flag(RuntimeSettings.JMX)) {
            bean = WorkerBean.show(this);
        }
    }

    private void requireSimulated() {
        if (simulation != null && !simulation.hasAgent(self.id())) {
            throw new RpcConfigurationException(
                    "%s is set, but the messages of backend '%s' take a real time here; use inproc, or faulty around it"
                            .formatted(RuntimeSettings.SIMULATION_SEED, backend));
        }
    }

    @Override
    public boolean isServing() {
        return threads.running().counts();
    }

    @Override
    public boolean inDynamicGroup() {
        return group instanceof DynamicGroup;
    }

    static Rpc current() {
        RpcWorker worker = WorkerThreads.currentWorker();
        if (worker == null) {
            throw new RpcException(
                    NOT_INITIALIZED
                            + " (This thread runs no function of a worker; use the Rpc that init returned.)");
        }
        return worker;
    }

    // ---- what programs see

    @Override
    public WorkerInfo self() {
        return self;
    }

    @Override
    public WorkerInfo worker(String name) {
        requireOpen();
        return members.byName(name);
    }

    @Override
    public WorkerInfo worker(int id) {
        requireOpen();
        return members.byId(id);
    }

    @Override
    public List<WorkerInfo> workers() {
        requireOpen();
        return members.all();
    }

    @Override
    public Duration rpcTimeout() {
        return calls.timeout();
    }

    @Override
    public void rpcTimeout(Duration timeout) {
        calls.timeout(timeout);
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(String to, Call<R> call) {
        return calls.rpcAsync(calls.destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(String to, Call<R> call) {
        return calls.<R>rpcSync(calls.destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(String to, Call<R> call) {
        return calls.remote(calls.destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(WorkerInfo to, Call<R> call) {
        return calls.rpcAsync(calls.destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(WorkerInfo to, Call<R> call) {
        return calls.<R>rpcSync(calls.destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(WorkerInfo to, Call<R> call) {
        return calls.remote(calls.destination(to), call, null, CallOptions.NONE);
    }

    @Override
    public RpcCalls withTimeout(Duration timeout) {
        return new TunedCalls(calls, CallOptions.NONE.withTimeout(timeout));
    }

    @Override
    public RpcCalls withRetry(RetryPolicy policy) {
        return new TunedCalls(calls, CallOptions.NONE.withRetry(policy));
    }

    @Override
    public <T extends @Nullable Object> RRef<T> rref(T value) {
        requireOpen();
        return rrefs.local(value);
    }

    @Override
    public <T> RRef<T> rref(T value, Class<T> moduleInterface) {
        requireOpen();
        return rrefs.local(value, moduleInterface);
    }

    @Override
    public byte[] toBytes(Object value) {
        if (state.get() == State.STOPPED) {
            bytes.refuseDeleted(value);
        }
        requireOpen();
        return bytes.write(value);
    }

    @Override
    public <T> T fromBytes(byte[] saved, Class<T> type) {
        requireOpen();
        return bytes.read(saved, type);
    }

    @Override
    public RpcScope savingReferences() {
        requireOpen();
        return bytes.openSaving();
    }

    @Override
    public RpcScope useUdfCodec(String name) {
        requireOpen();
        return udfCodecs.use(name);
    }

    @Override
    public <T extends @Nullable Object> RpcPromise<T> promise() {
        requireOpen();
        return threads.newFuture();
    }

    @Override
    public Script script() {
        requireOpen();
        return scripts;
    }

    @Override
    public WaitAll waitAll() {
        requireOpen();
        return scopes.open();
    }

    @Override
    public <T> T local(Class<T> type, Supplier<? extends T> initial) {
        return type.cast(locals.computeIfAbsent(type, _ -> initial.get()));
    }

    @Override
    public void barrier(Set<String> names) {
        requireOpen();
        try {
            gathering.gather(null, names, calls.timeout(), calls.timeout());
        } catch (RpcException e) {
            String text = "Failed to complete barrier, got error " + e.getMessage();
            if (settings.choice(RuntimeSettings.BARRIER_FAILURE, List.of("raise", "log"))
                    .equals("raise")) {
                throw new RpcException(e.kind(), text, e);
            }
            LOGGER.log(System.Logger.Level.ERROR, text);
        }
    }

    @Override
    public <T extends @Nullable Object> Map<String, T> allGather(T value) {
        return gather(value, Set.of(), null);
    }

    @Override
    public <T extends @Nullable Object> Map<String, T> allGather(
            T value, Set<String> names, Duration timeout) {
        return gather(value, names, CallOptions.nonNegative(timeout));
    }

    @SuppressWarnings("unchecked") // all workers give values of the same type
    private <T extends @Nullable Object> Map<String, T> gather(
            T value, Set<String> names, @Nullable Duration timeout) {
        requireOpen();
        return (Map<String, T>) gathering.gather(value, names, timeout, calls.timeout());
    }

    @Override
    public Map<String, String> debugInfo() {
        var info = new TreeMap<>(rrefs.debugInfo());
        info.put("agent.backend", backend);
        CallFigures.put(info, threads.running(), outgoing, receiver);
        CallFigures.put(info, sender.flows());
        info.putAll(retried.debugInfo());
        info.put("num_unsent_messages", Integer.toString(unsent.count()));
        info.putAll(answers.debugInfo());
        info.put("num_open_all_gathers", Integer.toString(gathering.open()));
        extensions.forEach(extension -> info.putAll(extension.debugInfo()));
        info.putAll(agent.debugInfo());
        return info;
    }

    private void requireOpen() {
        if (state.get() == State.STOPPED) {
            throw new RpcException(RpcErrorKind.SHUTDOWN, NOT_INITIALIZED);
        }
    }

    // ---- the end

    @Override
    public void shutdown(Duration timeout) {
        if (threads.insideCall()) {
            throw new RpcException(
                    "an orderly shutdown waits for all calls and their callbacks, and so for the one it was called from; call it from a thread of the program");
        }
        leaving.lock(); // a second call waits for the first and finds nothing to do
        try {
            if (!state.compareAndSet(State.MEMBER, State.LEAVING)) {
                return;
            }
            RuntimeException failure = null;
            try {
                leave(CallOptions.nonNegative(timeout));
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.ERROR, self + ": " + e.getMessage());
                failure = e;
            }
            List<String> leaks = stop();
            if (failure != null) {
                throw failure;
            }
            report(leaks);
        } finally {
            leaving.unlock();
        }
    }

    /** Where time is simulated nobody waits for others: what was under way has ended. */
    private void leave(Duration timeout) {
        if (simulation == null) {
            group.leave(
                    new Parting(members, gathering, rrefs, outgoing, receiver.active(), unsent),
                    timeout);
        } else {
            simulation.runToRest(timeout.toNanos());
        }
    }

    @Override
    public void shutdownNow() {
        report(stop());
    }

    private void report(List<String> leaks) {
        if (leaks.isEmpty()) {
            return;
        }
        String text =
                "%s: %d references leaked:%n%s"
                        .formatted(self, leaks.size(), String.join("\n", leaks));
        if (settings.flag(RuntimeSettings.FAIL_ON_RREF_LEAK)) {
            throw new RpcException(text);
        }
        LOGGER.log(System.Logger.Level.WARNING, text);
    }

    private List<String> stop() {
        if (state.getAndSet(State.STOPPED) == State.STOPPED) {
            return List.of();
        }
        List<String> leaks = rrefs.destroy();
        gathering.stop();
        List<Runnable> parts =
                new ArrayList<>(List.of(group::depart, agent::close, retried::stop, group::close));
        extensions.forEach(extension -> parts.add(extension::close));
        WorkerBean shown = bean;
        if (shown != null) {
            parts.add(shown::close);
        }
        for (Runnable part : parts) {
            try {
                part.run();
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.WARNING, "stopping a part of the worker failed", e);
            }
        }
        return leaks;
    }

    // ---- what extensions see

    @Override
    public Rpc rpc() {
        return this;
    }

    @Override
    public int incarnation() {
        return group.incarnation();
    }

    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public Optional<Class<?>> findMarkedClass(String name) {
        return Optional.ofNullable(classes.find(name));
    }

    @Override
    public WorkerTime time() {
        return time;
    }

    @Override
    public long newSecret() {
        return secrets.next();
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
    public RpcFuture<Input> request(
            int to, int type, Consumer<Output> body, @Nullable Duration timeout) {
        requireOpen();
        return sender.request(to, type, body, timeout == null ? calls.timeout() : timeout);
    }

    @Override
    public RpcFuture<Input> requestWithRetries(
            int to, int type, Consumer<Output> body, RetryPolicy policy) {
        return sendWithRetries(to, type, body, policy);
    }

    CallFuture<Input> sendWithRetries(int to, int type, Consumer<Output> body, RetryPolicy policy) {
        return retries.send(to, sender.plain(to, type, body), calls.timeout(), policy);
    }

    @Override
    public Executor executor() {
        return threads;
    }

    @Override
    public void executeLater(Duration delay, Runnable task) {
        Runnable start =
                () -> {
                    if (state.get() != State.STOPPED) {
                        threads.execute(task);
                    }
                };
        var _ = time.schedule(start, delay.toNanos());
    }

    // ---- what the other parts see

    /** Lend the calling thread to the backend. */
    int pollAgent() {
        return agent.poll();
    }

    /** The calling thread is lent no more. */
    void endPolling() {
        agent.endPolling();
    }

    ActiveCalls unsent() {
        return unsent;
    }

    WorkerCalls calls() {
        return calls;
    }

    CallObservers observers() {
        return observers;
    }

    Members members() {
        return members;
    }

    ValueBytes bytes() {
        return bytes;
    }

    WorkerThreads threads() {
        return threads;
    }

    // ---- what the agent brings

    @Override
    public void onRequest(int from, Message request, ReplySink replies) {
        receiver.onRequest(from, request, replies);
    }

    @Override
    public void onJoined(WorkerInfo worker) {
        gathering.onJoined(worker);
        answers.onPeerJoined(worker.id());
        rrefs.onPeerJoined(worker.id());
    }

    @Override
    public void onConnected(WorkerInfo worker) {
        threads.runHere(() -> extensions.forEach(extension -> extension.onPeerJoined(worker)));
    }

    @Override
    public void forget(WorkerInfo worker, RpcException reason) {
        if (state.get() != State.STOPPED) {
            threads.runHere(() -> {
                retried.onPeerLost(worker, reason);
                answers.forget(worker.id());
                receiver.forget(worker.id());
                rrefs.onPeerLost(worker.id(), reason);
                gathering.onPeerLost(worker, reason);
                extensions.forEach(extension -> extension.onPeerLost(worker.id(), reason));
            });
        }
    }

    @Override
    public void runApart(Runnable task) {
        if (simulation == null) {
            Thread.ofVirtual().start(task);
        } else {
            simulation.execute(self.name(), task);
        }
    }

    @Override
    public void onExpelled() {
        LOGGER.log(
                System.Logger.Level.ERROR,
                "{0} is stopped: the others of its group have lost it and go on without it",
                self);
        threads.execute(this::stop);
    }

    @Override
    public void onPeerLost(int peer, RpcException reason) {
        if (members.markLost(peer, reason) && state.get() != State.STOPPED) {
            group.onPeerLost(members.everKnown(peer), reason);
        }
    }
}
