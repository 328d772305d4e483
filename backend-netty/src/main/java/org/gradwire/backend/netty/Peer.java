package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A peer, from the time its address is known until it is lost.
 *
 * <p>Its state changes only on the loop. Other threads may call {@link #send}, {@link #awaitOpen}
 * and the getters, except {@link #lastActivityNanos}.
 */
final class Peer {
    /** Limit of a message on the lane for small messages. */
    private static final long MOST_SMALL_BYTES = 64 * 1024;

    private final WorkerInfo info;
    private final Address address;
    private final SendBudget waiting;
    private final ReceiveBudget.Account arriving = new ReceiveBudget.Account();
    private final Queue<OutboundFrame> early = new ConcurrentLinkedQueue<>();
    private final CountDownLatch opening = new CountDownLatch(1);
    private final Renewal renewal = new Renewal();
    private volatile @Nullable Lane small;
    private volatile @Nullable Lane large;
    private volatile @Nullable RpcException lossReason;
    private volatile String obstacle = "";
    private long lastActivityNanos;

    Peer(WorkerInfo info, Address address, long sendQueueBytes) {
        this.info = info;
        this.address = address;
        waiting = new SendBudget(sendQueueBytes);
    }

    WorkerInfo info() {
        return info;
    }

    int id() {
        return info.id();
    }

    Address address() {
        return address;
    }

    Identity.Member member() {
        return new Identity.Member(info.id(), address.incarnation());
    }

    SendBudget waiting() {
        return waiting;
    }

    ReceiveBudget.Account arriving() {
        return arriving;
    }

    // ---- state

    /** {@return whether it was opened or lost within a time} */
    boolean awaitOpen(long nanos) throws InterruptedException {
        return opening.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Release the threads in {@link #awaitOpen}. */
    void endOpening() {
        opening.countDown();
    }

    boolean isOpen() {
        return lossReason == null && small != null && large != null;
    }

    /** {@return whether it is open, and listens at an address} */
    boolean isOpenAt(InetAddress host) {
        return isOpen() && address.socket().getAddress().equals(host);
    }

    /** {@return whether it has a lane of this kind} */
    boolean hasLane(boolean isForLarge) {
        return (isForLarge ? large : small) != null;
    }

    /** {@return the certificates of both ends, and their renewal; not used without TLS} */
    Renewal renewal() {
        return renewal;
    }

    /** {@return the key of the proofs of a renewal that it begins; null to refuse} */
    @Nullable SharedSecret renewalSecret(int number) {
        return isOpen() && renewal.isNewer(number) ? renewal.secret() : null;
    }

    void setLane(Lane lane, boolean isForLarge) {
        if (isForLarge) {
            large = lane;
        } else {
            small = lane;
        }
        onActivity(System.nanoTime());
        if (isOpen()) {
            sendEarly();
            endOpening();
        }
    }

    /** Set the reason why the last attempt to connect failed, for the text of a timeout. */
    void setObstacle(String text) {
        obstacle = text;
    }

    String obstacle() {
        return obstacle;
    }

    boolean isLost() {
        return lossReason != null;
    }

    /** {@return the reason of its loss; null while it is not lost} */
    @Nullable RpcException lossReason() {
        return lossReason;
    }

    /**
     * Mark it as lost: frames are no longer sent.
     *
     * @return whether it was not lost before
     */
    boolean setLost(RpcException reason) {
        if (lossReason != null) {
            return false;
        }
        lossReason = reason;
        return true;
    }

    /** Close its lanes, and release the frames that wait. */
    void closeLanes() {
        for (Lane lane : new @Nullable Lane[] {small, large}) {
            if (lane != null) {
                lane.close();
            }
        }
        sendEarly();
    }

    // ---- frames

    /**
     * Queue a frame, which is sent when the peer is open; after its loss, release it. Thread-safe.
     */
    void send(OutboundFrame frame) {
        if (isOpen()) {
            write(frame);
            return;
        }
        early.add(frame);
        if (isOpen() || isLost()) { // since the check above
            sendEarly();
        }
    }

    /** Send the frames that were queued before the peer was open. */
    private void sendEarly() {
        for (OutboundFrame frame; (frame = early.poll()) != null; ) {
            write(frame);
        }
    }

    private void write(OutboundFrame frame) {
        Lane lane = frame.message().byteSize() > MOST_SMALL_BYTES ? large : small;
        if (lane == null) {
            frame.release();
        } else {
            lane.writer().add(frame);
        }
    }

    void onActivity(long nowNanos) {
        lastActivityNanos = nowNanos;
    }

    /** {@return time when bytes of it arrived last, by {@link System#nanoTime}} */
    long lastActivityNanos() {
        return lastActivityNanos;
    }

    /** Send GOODBYE, if the connection accepts it. */
    void sendGoodbye() {
        Lane lane = small;
        if (lane != null && !isLost()) {
            lane.writer()
                    .addLast(OutboundFrame.text(FrameHeader.Kind.GOODBYE, 0, 0, "it has closed"));
        }
    }

    @Override
    public String toString() {
        return info.toString();
    }
}
