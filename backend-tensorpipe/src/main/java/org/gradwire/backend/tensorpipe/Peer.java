package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;

import org.gradwire.backend.tensorpipe.address.Route;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.channel.BulkChannel;
import org.gradwire.backend.tensorpipe.channel.BulkPeer;
import org.gradwire.backend.tensorpipe.channel.BulkReadMode;
import org.gradwire.backend.tensorpipe.channel.BulkReader;
import org.gradwire.backend.tensorpipe.channel.MemoryCanary;
import org.gradwire.backend.tensorpipe.channel.MemoryLocation;
import org.gradwire.backend.tensorpipe.channel.RemoteMemory;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An incarnation of another member of the group, and the state of the connection to it.
 *
 * <pre>
 *  KNOWN --(needed)--> CONNECTING --(its HELLO_ACK, with a valid proof)---> OPEN --(loss)--> LOST
 *    `---------(loss)------`--------(rejected, wrong proof, loss)-----------------------------^
 * </pre>
 *
 * <p>A restarted worker is a new peer. The receive loop changes the state; any thread may read it.
 */
final class Peer implements BulkPeer {

    /** The states, in order. */
    enum State {
        /** Callable; its publication is requested with the first message in either direction. */
        KNOWN,
        /** Its publication is requested, then the handshake is performed. */
        CONNECTING,
        /** Messages are sent and accepted. */
        OPEN,
        /** Closed permanently. */
        LOST
    }

    private final WorkerInfo info;
    private final WorkerAddress address;
    private final Route route;
    private final SendQueue sendQueue;
    private final Nonce challenge;
    private final Nonce memoryProof;
    private final MemoryCanary memoryCanary = new MemoryCanary();
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
    private volatile BulkReadMode bulkReadMode = BulkReadMode.CHUNKS;
    private volatile long lastHeardNanos;
    private @Nullable InboundSession inboundSession;
    private @Nullable RemoteMemory memory;
    private @Nullable MemoryLocation memoryLocation;
    private boolean isMemoryOffered;

    Peer(
            WorkerInfo info,
            WorkerAddress address,
            Route route,
            SendQueue sendQueue,
            Nonce challenge,
            Nonce memoryProof,
            @Nullable BulkReader bulk) {
        this.info = info;
        this.address = address;
        this.route = route;
        this.sendQueue = sendQueue;
        this.challenge = challenge;
        this.memoryProof = memoryProof;
        this.bulk = bulk;
        lastHeardNanos = System.nanoTime();
    }

    int id() {
        return info.id();
    }

    WorkerInfo info() {
        return info;
    }

    WorkerAddress address() {
        return address;
    }

    /** {@return where it is, for the operator} */
    String location() {
        return route.isIpc()
                ? "shared memory, process " + address.process().pid()
                : route.endpoint();
    }

    Route route() {
        return route;
    }

    SendQueue sendQueue() {
        return sendQueue;
    }

    @Override
    public Nonce challenge() {
        return challenge;
    }

    /** {@return the proof that the peer places in its memory for this worker to read} */
    Nonce memoryProof() {
        return memoryProof;
    }

    /** {@return the canary in this worker's memory, with which the peer verifies its reads} */
    MemoryCanary memoryCanary() {
        return memoryCanary;
    }

    @Override
    public Authenticator.Party party() {
        return new Authenticator.Party(info.id(), address.incarnation());
    }

    @Override
    public @Nullable PairSecret secret() {
        return route.secret();
    }

    @Override
    public @Nullable Lease lease(BulkChannel.Request request) {
        return sendQueue.lease(request.transfer(), request.index(), request.length());
    }

    /** {@return name and id, for texts} */
    String label() {
        return info.name() + " (id " + info.id() + ")";
    }

    State state() {
        return state.get();
    }

    @Override
    public boolean isOpen() {
        return state.get() == State.OPEN;
    }

    boolean isKnownOnly() {
        return state.get() == State.KNOWN;
    }

    @Override
    public boolean isLost() {
        return state.get() == State.LOST;
    }

    /** {@return whether it is being connected, or open} */
    boolean isMet() {
        State now = state.get();
        return now == State.CONNECTING || now == State.OPEN;
    }

    /** {@return whether it can be called: it is open, or opens at the first call} */
    boolean isCallable() {
        return isOpen() || (!route.isEager() && !isLost());
    }

    /** {@return whether this changed the state from KNOWN to CONNECTING} */
    boolean beginConnecting() {
        return state.compareAndSet(State.KNOWN, State.CONNECTING);
    }

    /**
     * Attach the publication to the send queue.
     *
     * @param bell the peer's doorbell, if found
     */
    void attach(ExclusivePublication log, @Nullable Doorbell bell, @Nullable Doorbell driverBell) {
        canRing = route.isIpc() && bell != null;
        // Over UDP the driver reads the log and sends it.
        sendQueue.attach(log, route.isIpc() ? bell : driverBell, route.isIpc() ? driverBell : null);
        onHeard(System.nanoTime()); // its liveness counts from now
        hasLog = true;
    }

    boolean hasLog() {
        return hasLog;
    }

    /** {@return whether writes of this worker ring the peer's doorbell} */
    boolean canRing() {
        return canRing;
    }

    /** {@return a future that completes when the peer opens, or fails with its loss} */
    CompletableFuture<Void> opened() {
        return opened;
    }

    /** {@return the failure of calls to this peer, which is lost} */
    RpcException closedFailure() {
        return Objects.requireNonNull(lossReason);
    }

    /** {@return the failure for a peer that closed the connection} */
    RpcConnectionException closed(String why) {
        return new RpcConnectionException("Connection closed by peer " + label() + ": " + why);
    }

    /** Open the peer: its HELLO_ACK was accepted. */
    void open(boolean readsOverTcp) {
        bulkReadMode = readsOverTcp ? BulkReadMode.TCP : BulkReadMode.CHUNKS;
        if (state.compareAndSet(State.CONNECTING, State.OPEN)) {
            sendQueue.open();
            opened.complete(null);
        }
    }

    /** {@return whether this call changed the state to LOST; false if the peer was lost before} */
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

    /** Set the session in which the peer's HELLO arrived. */
    void onHello(InboundSession session, HelloFrame frame) {
        inboundSession = session;
        ackSent = false;
        hello = frame;
    }

    /** {@return the session with the peer's frames; null before its HELLO} */
    @Nullable InboundSession inboundSession() {
        return inboundSession;
    }

    @Nullable HelloFrame hello() {
        return hello;
    }

    void onMemoryOffered() {
        isMemoryOffered = true;
    }

    /** {@return whether the address of its proof was sent} */
    boolean isMemoryOffered() {
        return isMemoryOffered;
    }

    /** The peer has found its proof in this worker's memory. */
    void onMemoryAccepted() {
        bulkReadMode = BulkReadMode.MEMORY;
    }

    /** Begin to read its large buffers from its memory. */
    void readMemory(MemoryLocation location, RemoteMemory readable) {
        memoryLocation = location;
        memory = readable;
    }

    /** {@return the location of its proof; null if its memory is not read} */
    @Nullable MemoryLocation memoryLocation() {
        return memoryLocation;
    }

    /** {@return the peer's memory; null if it cannot be read; for one thread at a time} */
    @Nullable RemoteMemory memory() {
        return memory;
    }

    /** {@return the account of the memory of its arriving messages} */
    ReceiveBudget.Account arriving() {
        return arriving;
    }

    /** {@return the reader of its large buffers over TCP; null if TCP is not used} */
    @Nullable BulkReader bulk() {
        return bulk;
    }

    /** {@return whether the HELLO is due and can be sent} */
    boolean maySendHello() {
        return state() == State.CONNECTING && !helloSent && sendQueue.isConnected();
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

    /** {@return the way in which it reads large buffers of this worker} */
    BulkReadMode bulkReadMode() {
        return bulkReadMode;
    }

    /**
     * Send large buffers to it in chunks: it could not connect, for example because of a firewall.
     */
    void cannotRead() {
        bulkReadMode = BulkReadMode.CHUNKS;
    }

    /** {@return whether each write of the peer rings this worker's doorbell} */
    boolean ringsUs() {
        HelloFrame frame = hello;
        InboundSession session = inboundSession;
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
