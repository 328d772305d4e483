package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.frame.GoodbyeFrame;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.PendingCalls;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes lost peers: closes their send queues, fails their calls and reports their loss.
 *
 * <p>Confined to the receive loop unless noted.
 */
final class PeerCloser {
    private static final Logger LOG = System.getLogger(PeerCloser.class.getPackageName());
    private static final long LOOK_MILLIS = 10;
    private static final long PAUSE_NANOS = 100_000;
    private static final long GOODBYE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long READERS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Peers peers;
    private final Receiver receiver;
    private final PendingCalls pending;
    private final MessageDispatcher messageDispatcher;
    private final AgentTermination termination;

    PeerCloser(
            Peers peers,
            Receiver receiver,
            PendingCalls pending,
            MessageDispatcher messageDispatcher,
            AgentTermination termination) {
        this.peers = peers;
        this.receiver = receiver;
        this.pending = pending;
        this.messageDispatcher = messageDispatcher;
        this.termination = termination;
    }

    /** Close a peer; no effect if it is lost already. */
    void lose(Peer peer, RpcException reason) {
        assert receiver.isInLoop();
        boolean wasCallable = peer.isCallable();
        if (!peer.lose(reason)) {
            return;
        }
        LOG.log(
                Level.DEBUG,
                "{0} has lost {1}: {2}",
                termination.self(),
                peer.label(),
                reason.getMessage());
        InboundSession session = peer.inboundSession();
        if (session != null) {
            session.refuse();
        }
        peer.sendQueue()
                .tryControl(
                        new GoodbyeFrame("it considers this worker lost: " + reason.getMessage()));
        release(peer);
        pending.failPeer(
                peer.id(), () -> new RpcConnectionException(String.valueOf(reason.getMessage())));
        if (wasCallable) {
            messageDispatcher.reportLoss(peer.id(), reason);
        }
    }

    /** Close a peer soon. For any thread. */
    void loseSoon(Peer peer, RpcException reason) {
        receiver.post(() -> lose(peer, reason));
    }

    /** Close a peer, and return when its pending calls have failed. For any thread. */
    void loseNow(Peer peer, RpcException reason) {
        var isLost = new CountDownLatch(1);
        receiver.post(() -> {
            lose(peer, reason);
            isLost.countDown();
        });
        try {
            // An ending agent runs no more tasks.
            while (termination.isRunning() && !isLost.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {}
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Close peers that {@link #closeAll} may have missed, if the agent is ending. For any thread.
     */
    void closeIfEnding(Iterable<Peer> newcomers) {
        if (!termination.isRunning()) {
            newcomers.forEach(this::close);
        }
    }

    /** Send GOODBYE to all peers, wait for their reads of this worker's memory, and close them. */
    void closeAll() {
        assert receiver.isInLoop();
        if (!termination.hasFailed()) {
            sayGoodbye();
            awaitReaders();
        }
        peers.all().forEach(this::close);
    }

    private void sayGoodbye() {
        long deadline = System.nanoTime() + GOODBYE_NANOS;
        for (Peer peer : peers.all()) {
            while (peer.helloSent()
                    && !peer.isLost()
                    && !peer.sendQueue().tryControl(new GoodbyeFrame("it was closed"))
                    && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Wait for peers that are reading this process's memory. */
    private void awaitReaders() {
        long deadline = System.nanoTime() + READERS_NANOS;
        while (System.nanoTime() - deadline < 0
                && peers.all().stream().anyMatch(peer -> peer.sendQueue().awaitsReading())) {
            receiver.work();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void close(Peer peer) {
        RpcException reason = termination.pendingCallFailure();
        boolean wasCallable = peer.isCallable();
        peer.lose(reason);
        release(peer);
        if (wasCallable && termination.isByFailure()) {
            messageDispatcher.reportLoss(peer.id(), reason);
        }
    }

    private static void release(Peer peer) {
        peer.memoryCanary().revoke(); // before the memory that the peer may be reading is released
        peer.sendQueue().close();
    }
}
