package org.gradwire.runtime;

import org.gradwire.profiler.ServedProfiles;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.authorization.AuditLog;
import org.gradwire.runtime.authorization.Authorization;
import org.gradwire.runtime.authorization.Permission;
import org.gradwire.runtime.authorization.Policy;
import org.gradwire.runtime.call.CallReceiver;
import org.gradwire.runtime.call.CallSender;
import org.gradwire.runtime.call.CallServices;
import org.gradwire.runtime.call.ControlRetrier;
import org.gradwire.runtime.call.RequestSender;
import org.gradwire.runtime.call.RpcTimeout;
import org.gradwire.runtime.call.ScriptRunner;
import org.gradwire.runtime.call.UdfCodecs;
import org.gradwire.runtime.call.WorkerCalls;
import org.gradwire.runtime.collective.AllGather;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.function.FunctionCodec;
import org.gradwire.runtime.group.Backends;
import org.gradwire.runtime.group.ShutdownContext;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.member.PeerListener;
import org.gradwire.runtime.profile.CallObservers;
import org.gradwire.runtime.profile.CallWatcher;
import org.gradwire.runtime.profile.ProfilingInterceptor;
import org.gradwire.runtime.retry.ReplyCache;
import org.gradwire.runtime.retry.RetriedCalls;
import org.gradwire.runtime.retry.RetryPolicyResolver;
import org.gradwire.runtime.rref.CreationSites;
import org.gradwire.runtime.rref.RRefCodec;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.rref.RRefHandlers;
import org.gradwire.runtime.rref.SavingScopes;
import org.gradwire.runtime.rref.ValueBytes;
import org.gradwire.runtime.thread.InFlight;
import org.gradwire.runtime.thread.WorkerThreads;
import org.gradwire.runtime.wire.Values;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;
import org.gradwire.spi.ValueCodec;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Creates and connects the parts of a worker, and joins its group. */
final class WorkerAssembly {
    private final WorkerContext context;
    private final WorkerState state;
    private final InFlight inFlight = new InFlight();
    private final RpcTimeout timeout;
    private final Members members;
    private final WorkerThreads threads;
    private final RpcWorker rpc;
    private final List<RpcExtension> extensions;
    private final RRefContext rrefs;
    private final RpcAgent agent;
    private final AuditLog audit;
    private final Authorization authorization;
    private final String backend;
    private final CallServices services;
    private final RequestSender requests;
    private final RetriedCalls retried;
    private final CallSender sender;
    private final AllGather allGather;
    private final ReplyCache replies;
    private final CallReceiver receiver;
    private final WorkerShutdown shutdown;

    WorkerAssembly(
            SharedServices shared,
            WorkerContext context,
            @Nullable Policy policy,
            Store store,
            BackendProvider backend,
            UdfCodecs udfCodecs,
            Duration timeout) {
        this.context = context;
        this.state = new WorkerState(context.group()::lapse);
        this.backend = backend.name();
        this.timeout = new RpcTimeout(timeout);
        this.members = new Members(context.self());
        this.threads = makeThreads();

        // The extensions' view, although most of it is created after them.
        var saving = new SavingScopes();
        var view = new ExtensionWorker(context, state, threads);
        this.rpc = new RpcWorker(view, context, state, members, threads, this.timeout);
        view.connect(rpc);
        this.extensions =
                shared.extensions().stream().map(provider -> provider.create(view)).toList();
        view.install(extensions);
        var observers = new CallObservers(all(RpcExtension::observers));

        BufferAllocator allocator = Backends.allocator(extensions);
        this.agent =
                backend.create(
                        new AgentContext(
                                context.self(),
                                context.settings(),
                                store,
                                allocator,
                                context.time()));
        this.audit = new AuditLog(context.self(), agent::identity);
        this.authorization =
                new Authorization(members, shared.functions(), policy, shared.authorizers(), audit);

        // Values and messages.
        var host = makeReferenceHost(saving);
        this.rrefs = new RRefContext(host, shared.cleaner(), context.group().incarnation());
        var profiling = new ProfilingInterceptor(context.self().id(), ServedProfiles.of(rpc));
        List<CallInterceptor> interceptors = new ArrayList<>(List.of(profiling));
        interceptors.addAll(all(RpcExtension::interceptors));
        var codec = makeCodec(shared, interceptors);
        threads.connect(rpc, agent, observers::carry);

        // Outgoing calls.
        this.services =
                new CallServices(
                        shared.functions(),
                        codec,
                        threads,
                        rrefs,
                        udfCodecs,
                        members,
                        state::isStopped);
        this.requests = new RequestSender(services, inFlight.outgoing(), agent, this.timeout);
        var control =
                new ControlRetrier(
                        services, requests, this.timeout, context.time(), inFlight.unsent());
        this.retried = makeRetriedCalls(control);
        this.sender = makeSender(new CallWatcher(context.self(), profiling, observers));
        var calls = new WorkerCalls(state::requireOpen, services, sender, this.timeout);
        host.connect(control, calls);
        view.connect(requests, control);

        // Inbound calls.
        this.allGather =
                new AllGather(
                        members, threads, requests, authorization, context.group()::onLeaving);
        this.replies = new ReplyCache(context.settings(), context.group()::place, members);
        this.receiver = makeReceiver(observers);

        this.shutdown = makeShutdown();
        var scripts = new ScriptRunner(shared.functions(), threads, interceptors);
        var bytes = new ValueBytes(codec, allocator, rrefs.saved());
        var serialization = new WorkerSerialization(state, bytes, saving, udfCodecs);
        rpc.connect(
                new RpcWorker.Parts(
                        calls, rrefs, serialization, scripts, allGather, shutdown, metrics()));
    }

    private <T> List<T> all(Function<RpcExtension, ? extends List<? extends T>> parts) {
        List<T> all = new ArrayList<>();
        extensions.forEach(extension -> all.addAll(parts.apply(extension)));
        return all;
    }

    private WorkerThreads makeThreads() {
        Settings settings = context.settings();
        return new WorkerThreads(
                context.self().name(),
                settings.integer(RuntimeSettings.MAX_RUNNING_CALLS, 1, Integer.MAX_VALUE),
                inFlight.outgoing(),
                context.simulation());
    }

    private ReferenceHost makeReferenceHost(SavingScopes saving) {
        var sites = new CreationSites(context.settings().flag(RuntimeSettings.RREF_CREATION_SITES));
        return new ReferenceHost(context, members, threads, inFlight.unsent(), sites, saving);
    }

    private WireCodec makeCodec(SharedServices shared, List<CallInterceptor> interceptors) {
        List<ValueCodec<?>> codecs = new ArrayList<>();
        codecs.add(new RRefCodec(rrefs));
        codecs.add(new FunctionCodec(shared.functions(), authorization));
        extensions.forEach(extension -> codecs.addAll(extension.codecs()));
        return new WireCodec(new Values(codecs, context.classes()), interceptors);
    }

    private RetriedCalls makeRetriedCalls(ControlRetrier control) {
        return new RetriedCalls(
                RetryPolicyResolver.of(context.settings()),
                context.group().incarnation(),
                members,
                agent,
                context.time(),
                control);
    }

    private CallSender makeSender(CallWatcher watcher) {
        return new CallSender(
                services,
                requests,
                agent,
                inFlight.outgoing(),
                retried,
                watcher,
                context.settings().bytes(RuntimeSettings.PEER_WINDOW));
    }

    private CallReceiver makeReceiver(CallObservers observers) {
        List<RequestHandler> handlers = new ArrayList<>(RRefHandlers.of(rrefs));
        handlers.addAll(allGather.handlers());
        handlers.addAll(context.group().handlers(id -> authorization.require(id, Permission.JOIN)));
        handlers.addAll(all(RpcExtension::handlers));
        return new CallReceiver(
                services,
                authorization,
                inFlight.incoming(),
                observers,
                sender.flows(),
                replies,
                Backends.callArena(extensions).orElse(null),
                handlers);
    }

    private WorkerShutdown makeShutdown() {
        List<Runnable> steps = new ArrayList<>();
        steps.add(members.events()::close);
        steps.add(allGather::stop);
        steps.add(context.group()::depart);
        steps.add(agent::close);
        steps.add(retried::stop);
        steps.add(context.group()::close);
        extensions.forEach(extension -> steps.add(extension::close));
        var parts = new ShutdownContext(members, allGather, rrefs, inFlight);
        return new WorkerShutdown(context, state, threads, parts, steps);
    }

    private List<Supplier<Map<String, String>>> metrics() {
        List<Supplier<Map<String, String>>> all = new ArrayList<>();
        all.add(() -> Map.of("agent.backend", backend));
        all.add(rrefs::debugInfo);
        all.add(threads.running()::debugInfo);
        all.add(sender::debugInfo);
        all.add(receiver::debugInfo);
        all.add(authorization::debugInfo);
        all.add(retried::debugInfo);
        all.add(replies::debugInfo);
        all.add(() -> Map.of("num_unsent_messages", Integer.toString(inFlight.unsent().count())));
        all.add(() -> Map.of("num_open_all_gathers", Integer.toString(allGather.open())));
        extensions.forEach(extension -> all.add(extension::debugInfo));
        all.add(agent::debugInfo);
        return all;
    }

    /** {@return the parts with state per peer, in the order of their notification of a loss} */
    private List<PeerListener> peerListeners() {
        List<PeerListener> all = new ArrayList<>();
        all.addAll(List.of(authorization, audit, retried, replies, receiver));
        all.addAll(List.of(new ReferencePeers(rrefs), allGather));
        extensions.forEach(extension -> all.add(new ExtensionPeers(extension)));
        return all;
    }

    private record ReferencePeers(RRefContext rrefs) implements PeerListener {
        @Override
        public void onPeerJoined(WorkerInfo peer) {
            rrefs.onPeerJoined(peer.id());
        }

        @Override
        public void onPeerLost(WorkerInfo peer, RpcException reason) {
            rrefs.onPeerLost(peer.id(), reason);
        }
    }

    private record ExtensionPeers(RpcExtension extension) implements PeerListener {
        @Override
        public void onPeerConnected(WorkerInfo peer) {
            extension.onPeerJoined(peer);
        }

        @Override
        public void onPeerLost(WorkerInfo peer, RpcException reason) {
            extension.onPeerLost(peer.id(), reason);
        }
    }

    /** Join the group; {@return the application's view of the worker} */
    Rpc join() {
        var events =
                new WorkerEvents(
                        context, members, threads, receiver, requests, peerListeners(), shutdown);
        context.group().join(members, agent, events);
        members.all().forEach(audit::onPeerConnected);
        requireSimulated();
        state.join();
        threads.runHere(() -> extensions.forEach(RpcExtension::onJoined));
        if (context.settings().flag(RuntimeSettings.JMX)) {
            shutdown.addStep(WorkerBean.show(rpc)::close);
        }
        return rpc;
    }

    private void requireSimulated() {
        if (context.simulation() != null && !context.simulation().hasAgent(context.self().id())) {
            throw new RpcConfigurationException(
                    "%s is set, but the messages of backend '%s' take a real time here; use inproc, or faulty around it"
                            .formatted(RuntimeSettings.SIMULATION_SEED, backend));
        }
    }

    /** Stop a worker that could not join. */
    void stop() {
        shutdown.stop();
    }
}
