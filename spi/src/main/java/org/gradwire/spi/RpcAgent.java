package org.gradwire.spi;

import org.gradwire.rpc.WorkerInfo;

import java.util.List;
import java.util.Map;

/**
 * A worker's connection to its group, made by a {@link BackendProvider}: it sends requests,
 * delivers their replies, and delivers the requests of peers.
 *
 * <p>{@code docs/BACKEND-RULES.md} numbers the rules of agents; the conformance kit checks them.
 *
 * <p><b>Life cycle.</b> {@link #start}, {@link #connect}, any number of {@link #send}s from any
 * thread, {@link #close}. In a dynamic group, {@link #connect} and {@link #disconnect} are called
 * whenever a worker joins or leaves.
 */
public interface RpcAgent extends AutoCloseable {

    /**
     * Start to receive, and write this worker's address to the store.
     *
     * @param listener called on pollers
     * @throws org.gradwire.rpc.RpcConfigurationException when the backend cannot work here
     */
    void start(AgentListener listener);

    /**
     * Connect to members of the group.
     *
     * <p>Their addresses are in the store already. The first call lists all members, including this
     * worker; later calls list the members that have joined since, and the others stay connected. A
     * new member may have the id of a lost one; the store has its new address.
     *
     * @throws org.gradwire.rpc.RpcConnectionException if a member cannot be reached in time
     * @throws org.gradwire.rpc.RpcException if this worker cannot connect to any member
     */
    void connect(List<WorkerInfo> members);

    /**
     * Disconnect a member that has left the group: calls to it fail, and {@link #connect} no longer
     * waits for it. If the member was connected, the listener has been notified of its loss when
     * this method returns. Must not be called on a poller.
     */
    void disconnect(int member);

    /**
     * Send a request, without waiting for the reply.
     *
     * <p>Exactly one method of {@code handler} is called, exactly once, no later than the deadline
     * or the close of the agent. A worker may send to itself: buffers arrive as copies then too.
     * Messages may overtake each other.
     *
     * @param to id of a member
     * @param request released by the agent after its last access
     * @param timeoutNanos time after which the call fails with {@link
     *     org.gradwire.rpc.RpcTimeoutException}; 0 means never
     * @param handler called on a poller, or on this thread if the request cannot be sent
     * @throws IllegalArgumentException when the message is not a request
     */
    void send(int to, Message request, long timeoutNanos, ReplyHandler handler);

    /**
     * Receive and deliver messages once on the calling thread, as a poller does. A thread that
     * waits for a reply, or for the next request, calls this repeatedly, which saves a context
     * switch; {@link #endPolling} or {@link #linger} always follows.
     *
     * <p>An idle agent may yield the core under a virtual thread; {@link Thread#yield} does that
     * for platform threads only.
     *
     * @return the amount of work done; 0 if there was none, or another thread polls; negative if
     *     the calling thread should not poll now, or the agent does not support polling, which is
     *     the default
     */
    default int poll() {
        return -1;
    }

    /** End the polling by the calling thread, so that a poller resumes at once. */
    default void endPolling() {}

    /**
     * End the polling as {@link #endPolling}, by a thread that mostly polls again within
     * microseconds. Until then a {@linkplain MessageTypes#isPatient patient} message need not wake
     * a poller, which would take a core from this thread; it must be handled within 50 milliseconds
     * nevertheless.
     */
    default void linger() {
        endPolling();
    }

    /**
     * {@return the address of a connected member and the proof it needs, for the audit log; {@link
     * PeerIdentity#UNKNOWN} by default, and for one that is not connected}
     */
    default PeerIdentity identity(int member) {
        return PeerIdentity.UNKNOWN;
    }

    /** {@return metrics for {@link org.gradwire.rpc.Rpc#debugInfo}, by documented key} */
    Map<String, String> debugInfo();

    /**
     * Stop at once. Pending calls fail, peers' calls to this worker fail soon after, and no further
     * request is delivered. Further calls do nothing. Ends in bounded time.
     */
    @Override
    void close();
}
