package org.gradwire.runtime.group;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.member.Members;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** The membership protocol of a worker: joins a group, tracks its members, leaves it. */
public sealed interface Group extends AutoCloseable permits StaticGroup, DynamicGroup {

    /** Receives the events of a group. */
    interface Host extends AgentListener {

        /** Handle the members at the time when this worker joined. */
        void onFirstView(GroupView view);

        /** Handle a change of the members, after the methods for its worker; in order. */
        void onMember(MemberEvent event);

        /** Handle a new member. */
        void onJoined(WorkerInfo worker);

        /** Handle the connection of a later member, which can be called now. */
        void onConnected(WorkerInfo worker);

        /** Drop the state of a worker that is lost or has left. */
        void forget(WorkerInfo worker, RpcException reason);

        /** Send a control request. */
        RpcFuture<Input> request(
                int to, int type, Consumer<Output> body, @Nullable Duration timeout);

        /** Run a task that may block, on a new thread. */
        void runApart(Runnable task);

        /**
         * Stop this worker, which is no longer a member.
         *
         * @param reason of the failures of its calls
         */
        void onExpelled(String reason);
    }

    /**
     * {@return the number of earlier workers with this id, which keeps the ids that they draw
     * distinct}
     */
    int incarnation();

    /**
     * {@return the place where this worker joined, unique among the workers with its id; 0 in a
     * static group}
     */
    long place();

    /**
     * {@return the reason why this worker may no longer be a member of the group, whose other
     * members continue without it; null if it certainly is one, or has not joined}
     */
    default @Nullable String lapse() {
        return null;
    }

    /**
     * Join the group; all its members can be called afterwards.
     *
     * @throws RpcException on failure
     */
    void join(Members members, RpcAgent agent, Host host);

    /**
     * Leave in an orderly way, before the worker stops.
     *
     * @param timeout zero means no timeout
     * @throws RpcException when calls are still in flight at the end, or the group fails
     */
    void leave(ShutdownContext context, Duration timeout);

    /** Handle the announcement of a worker that it leaves. */
    void onLeaving(String name);

    /** Handle the loss of a worker. Runs on a poller. */
    void onPeerLost(WorkerInfo peer, RpcException reason);

    /**
     * {@return handlers of the group's own messages}
     *
     * @param joining receives the ids of workers that want to join, and throws when one may not
     */
    List<RequestHandler> handlers(IntConsumer joining);

    /**
     * Report to the group that this worker leaves, while it still has its connections, so that
     * peers do not consider it lost. Does not throw.
     */
    default void depart() {}

    /** Release the store after the worker has stopped. Does not throw. */
    @Override
    void close();
}
