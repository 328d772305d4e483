package org.gradwire.runtime;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.call.CallReceiver;
import org.gradwire.runtime.call.RequestSender;
import org.gradwire.runtime.group.Group;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.member.PeerListener;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.runtime.thread.WorkerThreads;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.Output;
import org.gradwire.spi.ReplySink;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Dispatches the events of the agent and of the group to the parts of a worker. */
final class WorkerEvents implements Group.Host {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rpc");

    private final WorkerContext context;
    private final Members members;
    private final WorkerThreads threads;
    private final CallReceiver receiver;
    private final RequestSender requests;
    private final List<PeerListener> listeners;
    private final WorkerShutdown shutdown;

    /**
     * Create the listener of a worker's agent and group.
     *
     * @param listeners notified of peers, in this order
     */
    WorkerEvents(
            WorkerContext context,
            Members members,
            WorkerThreads threads,
            CallReceiver receiver,
            RequestSender requests,
            List<PeerListener> listeners,
            WorkerShutdown shutdown) {
        this.context = context;
        this.members = members;
        this.threads = threads;
        this.receiver = receiver;
        this.requests = requests;
        this.listeners = List.copyOf(listeners);
        this.shutdown = shutdown;
    }

    @Override
    public void onRequest(int from, Message request, ReplySink replies) {
        receiver.onRequest(from, request, replies);
    }

    @Override
    public void onFirstView(GroupView view) {
        members.events().begin(view);
    }

    @Override
    public void onMember(MemberEvent event) {
        members.events().publish(event, threads);
    }

    @Override
    public void onJoined(WorkerInfo worker) {
        listeners.forEach(listener -> listener.onPeerJoined(worker));
    }

    @Override
    public void onConnected(WorkerInfo worker) {
        threads.runHere(() -> listeners.forEach(listener -> listener.onPeerConnected(worker)));
    }

    @Override
    public void onPeerLost(int peer, RpcException reason) {
        if (members.markLost(peer, reason) && !shutdown.isStopped()) {
            context.group().onPeerLost(members.byIdIncludingLost(peer), reason);
        }
    }

    @Override
    public void forget(WorkerInfo worker, RpcException reason) {
        if (!shutdown.isStopped()) {
            threads.runHere(
                    () -> listeners.forEach(listener -> listener.onPeerLost(worker, reason)));
        }
    }

    @Override
    public RpcFuture<Input> request(
            int to, int type, Consumer<Output> body, @Nullable Duration timeout) {
        return requests.request(to, type, body, timeout);
    }

    @Override
    public void runApart(Runnable task) {
        Simulation simulation = context.simulation();
        if (simulation == null) {
            Thread.ofVirtual().start(task);
        } else {
            simulation.execute(context.self().name(), task);
        }
    }

    @Override
    public void onExpelled(String reason) {
        LOGGER.log(System.Logger.Level.ERROR, reason);
        threads.execute(() -> shutdown.stop(reason));
    }
}
