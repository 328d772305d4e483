package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One incarnation of another member of the group, and the state of the connection to it.
 *
 * <pre>
 *  CONNECTING --(its HELLO_ACK, with the right proof)--> OPEN --(loss)--> LOST
 *      `--------(rejected, wrong proof, loss)-----------------------------^
 * </pre>
 *
 * <p>A worker that was restarted is another peer. State changes on the thread that has the
 * receiver's turn, and is read by all.
 */
final class Peer {

    /** The states, in their order. */
    enum State {
        /** Greetings are being exchanged. */
        CONNECTING,
        /** Messages may be sent and are accepted. */
        OPEN,
        /** Given up; for good. */
        LOST
    }

    private final WorkerInfo info;
    private final Address address;
    private final Transport transport;
    private final Outbox outbox;
    private final Nonce challenge;
    private final Guard guard;
    private final @Nullable BulkReader bulk;
    private final AtomicReference<State> state = new AtomicReference<>(State.CONNECTING);
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private volatile @Nullable RpcException lossReason;
    private volatile @Nullable HelloFrame hello;
    private volatile boolean helloSent;
    private volatile boolean ackSent;
    private volatile Reading reading = Reading.CHUNKS;
    private volatile long lastHeardNanos;
    private @Nullable Inbound inbound;
    private @Nullable RemoteMemory memory;

    Peer(
            WorkerInfo info,
            Address address,
            Transport transport,
            Outbox outbox,
            Nonce challenge,
            Guard guard,
            @Nullable BulkReader bulk) {
        this.info = info;
        this.address = address;
        this.transport = transport;
        this.outbox = outbox;
        this.challenge = challenge;
        this.guard = guard;
        this.bulk = bulk;
        lastHeardNanos = System.nanoTime();
    }

    /**
     * How a peer is reached.
     *
     * @param isIpc through shared memory, not UDP
     * @param isOnThisHost so that its process can be watched and, maybe, its memory read
     * @param rings whether this worker's writes ring its bell
     * @param rungByDriver whether what comes over UDP rings this worker's bell
     */
    record Transport(boolean isIpc, boolean isOnThisHost, boolean rings, boolean rungByDriver) {}

    int id() {
        return info.id();
    }

    Address address() {
        return address;
    }

    Transport transport() {
        return transport;
    }

    Outbox outbox() {
        return outbox;
    }

    Nonce challenge() {
        return challenge;
    }

    Guard guard() {
        return guard;
    }

    Authenticator.Party party() {
        return new Authenticator.Party(info.id(), address.incarnation());
    }

    /** {@return name and id, for texts} */
    String label() {
        return info.name() + " (id " + info.id() + ")";
    }

    State state() {
        return state.get();
    }

    boolean isOpen() {
        return state.get() == State.OPEN;
    }

    boolean isLost() {
        return state.get() == State.LOST;
    }

    /** {@return completes when the peer is open, or fails with why it will not be} */
    CompletableFuture<Void> opened() {
        return opened;
    }

    /** {@return the failure of a call to this peer now; it is not open} */
    RpcException closedFailure() {
        RpcException reason = lossReason;
        return reason != null
                ? reason
                : new RpcConnectionException(label() + " is not connected yet");
    }

    void open(Reading how) {
        reading = how;
        if (state.compareAndSet(State.CONNECTING, State.OPEN)) {
            opened.complete(null);
        }
    }

    /** {@return whether this was not lost before} */
    boolean lose(RpcException reason) {
        if (isLost()) {
            return false;
        }
        lossReason = reason;
        state.set(State.LOST);
        opened.completeExceptionally(reason);
        if (bulk != null) {
            bulk.close();
        }
        return true;
    }

    /** Take the session on which the peer has greeted. */
    void greetedOn(Inbound session, HelloFrame frame, @Nullable RemoteMemory readable) {
        inbound = session;
        memory = readable;
        ackSent = false;
        hello = frame;
    }

    /** {@return the session from which frames are this peer's} */
    @Nullable Inbound inbound() {
        return inbound;
    }

    @Nullable HelloFrame hello() {
        return hello;
    }

    /** {@return the peer's memory, when it can be read; for one thread at a time} */
    @Nullable RemoteMemory memory() {
        return memory;
    }

    /** {@return what reads its large buffers over TCP; null when nothing shall} */
    @Nullable BulkReader bulk() {
        return bulk;
    }

    /** {@return whether it has not been greeted, and its session takes what is written} */
    boolean mayBeGreeted() {
        return state() == State.CONNECTING && !helloSent && outbox.isConnected();
    }

    boolean helloSent() {
        return helloSent;
    }

    void onHelloSent() {
        helloSent = true;
    }

    boolean ackSent() {
        return ackSent;
    }

    void onAckSent() {
        ackSent = true;
    }

    /** {@return how it gets large buffers that are sent to it} */
    Reading reading() {
        return reading;
    }

    /** It could not read over its connection, kept from it by a firewall, say. */
    void cannotRead() {
        reading = Reading.CHUNKS;
    }

    /** {@return whether each write of the peer wakes this worker's poller} */
    boolean ringsUs() {
        HelloFrame frame = hello;
        Inbound session = inbound;
        if (frame == null || session == null) {
            return false;
        }
        return session.isIpc() ? frame.canRing() : transport.rungByDriver;
    }

    long lastHeardNanos() {
        return lastHeardNanos;
    }

    void onHeard(long nowNanos) {
        lastHeardNanos = nowNanos;
    }
}
