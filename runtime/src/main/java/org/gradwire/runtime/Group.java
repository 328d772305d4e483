package org.gradwire.runtime;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** How a worker finds the others of its group, and parts from them. */
sealed interface Group extends AutoCloseable permits StaticGroup, DynamicGroup {

    /** What a worker learns of its group. */
    interface Host extends AgentListener {

        /** A worker is a member from now on. */
        void onJoined(WorkerInfo worker);

        /** A worker that joined later can be called. */
        void onConnected(WorkerInfo worker);

        /** A worker is lost, or has left: nothing more is kept for it or expected of it. */
        void forget(WorkerInfo worker, RpcException reason);

        /** Send a control request. */
        RpcFuture<Input> request(
                int to, int type, Consumer<Output> body, @Nullable Duration timeout);

        /** Run a task that may block, on a thread of its own. */
        void runApart(Runnable task);

        /** The others have given this worker up. */
        void onExpelled();
    }

    /** {@return how many workers had this one's id before it; it keeps their ids apart} */
    int incarnation();

    /**
     * {@return where this worker joined, which tells it from others of its id; 0 in a static group}
     */
    long place();

    /**
     * Become a member: all that are members by then can be called when this returns.
     *
     * @throws RpcException when that cannot be
     */
    void join(Members members, RpcAgent agent, Host host);

    /**
     * Part in an orderly way, before the worker stops.
     *
     * @param timeout zero: without end
     * @throws RpcException when not everything came to its end
     */
    void leave(Parting parting, Duration timeout);

    /** A worker has announced that it will leave. */
    void onLeaving(String name);

    /** A worker is lost. Runs on a poller. */
    void onPeerLost(WorkerInfo peer, RpcException reason);

    /** {@return handlers of the group's own messages} */
    List<RequestHandler> handlers();

    /**
     * Be a member no more, while the worker still has its connections: who hears of the end from
     * this worker has no other reason to. Does not throw.
     */
    default void depart() {}

    /** Use the store no more: the worker has stopped. Does not throw. */
    @Override
    void close();
}
