package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One incarnation of another member of the group, and the state of the connection to it.
 *
 * <pre>
 *  KNOWN --(needed)--> CONNECTING --(its HELLO_ACK, with the right proof)--> OPEN --(loss)--> LOST
 *    `---------(loss)------`--------(rejected, wrong proof, loss)-----------------------------^
 * </pre>
 *
 * <p>A worker that was restarted is another peer. State changes on the thread that has the
 * receiver's turn, and is read by all.
 */
final class Peer {

    /** The states, in their order. */
    enum State {
        /** It may be called; the log to it is made when one of the two first needs it. */
        KNOWN,
        /** A log to it is being made, then greetings are exchanged. */
        CONNECTING,
        /** Messages are sent at once, and accepted. */
        OPEN,
        /** Given up; for good. */
        LOST
    }

    private final WorkerInfo info;
    private final Address address;
    private final Route route;
    private final Outbox outbox;
    private final Nonce challenge;
    private final Nonce memoryProof;
    private final Guard guard = new Guard();
    private final @Nullable BulkReader bulk;
    private final ReceiveBudget.Account arriving = new ReceiveBudget.Account();
    private final AtomicReference<State> state = new AtomicReference<>(State.KNOWN);
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private volatile @Nullable RpcException lossReason;
    private volatile @Nullable HelloFrame hello;
    private volatile boolean hasLog;
    private volatile boolean canRing;
    private volatile boolean helloSent;
    private volatile boolean ackSent;
    private volatile Reading reading = Reading.CHUNKS;
    private volatile long lastHeardNanos;
    private @Nullable Inbound inbound;
    private @Nullable RemoteMemory memory;
    private @Nullable MemoryLocation memoryLocation;
    private boolean isMemoryOffered;

    Peer(
            WorkerInfo info,
            Address address,
            Route route,
            Outbox outbox,
            Nonce challenge,
            Nonce memoryProof,
            @Nullable BulkReader bulk) {
        this.info = info;
        this.address = address;
        this.route = route;
        this.outbox = outbox;
        this.challenge = challenge;
        this.memoryProof = memoryProof;
        this.bulk = bulk;
        lastHeardNanos = System.nanoTime();
    }

    int id() {
        return info.id();
    }

    Address address() {
        return address;
    }

    Route route() {
        return route;
    }

    Outbox outbox() {
        return outbox;
    }

    Nonce challenge() {
        return challenge;
    }

    /** {@return what the peer places in its memory, so that this worker may read there} */
    Nonce memoryProof() {
        return memoryProof;
    }

    /** {@return what this worker places in its memory, so that the peer may read there} */
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

    boolean isKnownOnly() {
        return state.get() == State.KNOWN;
    }

    boolean isLost() {
        return state.get() == State.LOST;
    }

    /** {@return whether it is being connected, or open} */
    boolean isMet() {
        State now = state.get();
        return now == State.CONNECTING || now == State.OPEN;
    }

    /** {@return whether it may be called: it is open, or will be when it is} */
    boolean isCallable() {
        return isOpen() || (!route.isEager() && !isLost());
    }

    /** {@return whether the peer was only known until now, and a log to it is to be made} */
    boolean beginConnecting() {
        return state.compareAndSet(State.KNOWN, State.CONNECTING);
    }

    /**
     * Write to a log from now on.
     *
     * @param bell the peer's, if it could be found
     */
    void attach(ExclusivePublication log, @Nullable Doorbell bell, @Nullable Doorbell driverBell) {
        canRing = route.isIpc() && bell != null;
        // Over UDP the driver reads, to send.
        outbox.attach(log, route.isIpc() ? bell : driverBell, route.isIpc() ? driverBell : null);
        onHeard(System.nanoTime()); // from now on it may be expected to answer
        hasLog = true;
    }

    boolean hasLog() {
        return hasLog;
    }

    /** {@return whether this worker's writes ring its bell} */
    boolean canRing() {
        return canRing;
    }

    /** {@return completes when the peer is open, or fails with why it will not be} */
    CompletableFuture<Void> opened() {
        return opened;
    }

    /** {@return the failure of a call to this peer now; it is lost} */
    RpcException closedFailure() {
        return Objects.requireNonNull(lossReason);
    }

    /** {@return the loss of a peer that went of its own accord} */
    RpcConnectionException closed(String why) {
        return new RpcConnectionException("Connection closed by peer " + label() + ": " + why);
    }

    /** Take its messages from now on; its answer to the greeting was accepted. */
    void open(boolean readsOverTcp) {
        reading = readsOverTcp ? Reading.TCP : Reading.CHUNKS;
        if (state.compareAndSet(State.CONNECTING, State.OPEN)) {
            outbox.open();
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
    void greetedOn(Inbound session, HelloFrame frame) {
        inbound = session;
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

    void onMemoryOffered() {
        isMemoryOffered = true;
    }

    /** {@return whether it was told where its proof lies} */
    boolean isMemoryOffered() {
        return isMemoryOffered;
    }

    /** The peer has found its proof in this worker's memory. */
    void onMemoryAccepted() {
        reading = Reading.MEMORY;
    }

    /** Read its large buffers where they lie. */
    void readMemory(MemoryLocation location, RemoteMemory readable) {
        memoryLocation = location;
        memory = readable;
    }

    /** {@return where its proof lies; null when its memory is not read} */
    @Nullable MemoryLocation memoryLocation() {
        return memoryLocation;
    }

    /** {@return the peer's memory, when it can be read; for one thread at a time} */
    @Nullable RemoteMemory memory() {
        return memory;
    }

    /** {@return the memory of its messages that are still arriving} */
    ReceiveBudget.Account arriving() {
        return arriving;
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
        return session.isIpc() ? frame.canRing() : route.rungByDriver();
    }

    long lastHeardNanos() {
        return lastHeardNanos;
    }

    void onHeard(long nowNanos) {
        lastHeardNanos = nowNanos;
    }
}
