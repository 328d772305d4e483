package org.gradwire.spi;

import org.gradwire.rpc.WorkerInfo;

import java.util.List;
import java.util.Map;

/**
 * A worker's connection to its group, made by a {@link BackendProvider}: it sends requests, brings
 * back their replies, and hands in the requests of others.
 *
 * <p>The rules that every agent keeps are numbered in {@code docs/BACKEND-RULES.md}; the
 * conformance kit checks them.
 *
 * <p><b>Life.</b> {@link #start}, {@link #connect}, any number of {@link #send}s from any thread,
 * {@link #close}. In a group whose workers come and go, {@link #connect} and {@link #disconnect}
 * are called whenever one does.
 */
public interface RpcAgent extends AutoCloseable {

    /**
     * Begin to receive, and leave this worker's address in the store.
     *
     * @param listener called on pollers
     * @throws org.gradwire.rpc.RpcConfigurationException when the backend cannot work here
     */
    void start(AgentListener listener);

    /**
     * Learn members of the group, and prepare to send to each.
     *
     * <p>Their addresses are in the store by now. The first call names all members, this worker
     * among them. Called again when members join, with these alone: the others stay connected. One
     * may have the id of a member that was lost: then its new address is in the store.
     *
     * @throws org.gradwire.rpc.RpcConnectionException when one cannot be reached in time
     * @throws org.gradwire.rpc.RpcException when this worker cannot connect to anybody
     */
    void connect(List<WorkerInfo> members);

    /**
     * Forget a member that has left the group: calls to it fail, and {@link #connect} waits for it
     * no more. When this returns, the listener has been told that it is lost, if it was connected.
     * Not to be called on a poller.
     */
    void disconnect(int member);

    /**
     * Send a request; do not wait.
     *
     * <p>Exactly one method of {@code handler} is called, exactly once, at the latest when the time
     * is up or the agent is closed. Sending to oneself is allowed and takes the same way: buffers
     * arrive as copies. No order is promised between two messages.
     *
     * @param to id of a member
     * @param request released by the agent when it reads its memory no more
     * @param timeoutNanos after which the call fails with {@link
     *     org.gradwire.rpc.RpcTimeoutException}; 0 means never
     * @param handler called on a poller, or on this thread when the request cannot be sent at all
     * @throws IllegalArgumentException when the message is not a request
     */
    void send(int to, Message request, long timeoutNanos, ReplyHandler handler);

    /**
     * Lend the calling thread to the agent for a moment, to receive and hand in messages as a
     * poller would. A thread that waits for a reply, or for the next request, calls it repeatedly
     * and so saves the change to another thread; {@link #endPolling} follows in any case.
     *
     * <p>An agent that has nothing to do on a virtual thread may let other threads have its core
     * for a moment, as {@link Thread#yield} does on a platform thread only.
     *
     * @return how much was done; 0 when there was nothing to do, or another thread is at it;
     *     negative when the agent has no use for threads, which is the default
     */
    default int poll() {
        return -1;
    }

    /** Say that the calling thread polls no more, so that a poller takes over at once. */
    default void endPolling() {}

    /** {@return figures for {@link org.gradwire.rpc.Rpc#debugInfo}, by documented key} */
    Map<String, String> debugInfo();

    /**
     * Stop at once. Own calls under way fail, peers' calls to this worker fail soon after, and no
     * request is handed in any more. Further calls do nothing. Ends in bounded time.
     */
    @Override
    void close();
}
