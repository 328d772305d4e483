package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Another worker, from the moment its address is known until it is lost.
 *
 * <p>Its state is changed by the loop; all may look at it.
 */
final class Peer {
    /** Larger messages take the lane of large ones. */
    private static final long MOST_SMALL_BYTES = 64 * 1024;

    private final WorkerInfo info;
    private final Address address;
    private final SendBudget waiting;
    private final ReceiveBudget.Account arriving = new ReceiveBudget.Account();
    private final Queue<Outgoing> early = new ConcurrentLinkedQueue<>();
    private final CountDownLatch opening = new CountDownLatch(1);
    private volatile @Nullable Lane small;
    private volatile @Nullable Lane large;
    private volatile @Nullable RpcException lostBy;
    private volatile String obstacle = "";
    private long heardNanos;

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

    Identity.Party party() {
        return new Identity.Party(info.id(), address.incarnation());
    }

    SendBudget waiting() {
        return waiting;
    }

    ReceiveBudget.Account arriving() {
        return arriving;
    }

    // ---- how far it is

    /** {@return whether it has become open, or lost, in this time} */
    boolean awaitOpen(long nanos) throws InterruptedException {
        return opening.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Let those go on who wait for it to be open. */
    void endOpening() {
        opening.countDown();
    }

    boolean isOpen() {
        return lostBy == null && small != null && large != null;
    }

    /** {@return whether there is a lane of this kind already} */
    boolean hasLane(boolean isForLarge) {
        return (isForLarge ? large : small) != null;
    }

    void setLane(Lane lane, boolean isForLarge) {
        if (isForLarge) {
            large = lane;
        } else {
            small = lane;
        }
        onHeard(System.nanoTime());
        if (isOpen()) {
            sendEarly();
            endOpening();
        }
    }

    /** What kept it from being connected last, for the text of a timeout. */
    void setObstacle(String text) {
        obstacle = text;
    }

    String obstacle() {
        return obstacle;
    }

    boolean isLost() {
        return lostBy != null;
    }

    /** {@return why it is lost; null when it is not} */
    @Nullable RpcException lostBy() {
        return lostBy;
    }

    /**
     * Begin to be lost: nothing can be sent any more.
     *
     * @return whether it was not before
     */
    boolean setLost(RpcException reason) {
        if (lostBy != null) {
            return false;
        }
        lostBy = reason;
        return true;
    }

    /** Close its lanes, and let go of what waits for it. */
    void closeLanes() {
        for (Lane lane : new @Nullable Lane[] {small, large}) {
            if (lane != null) {
                lane.close();
            }
        }
        sendEarly();
    }

    // ---- traffic

    /**
     * Send a frame soon, or once the peer is open; after its loss, release it only. For any thread.
     */
    void send(Outgoing frame) {
        if (isOpen()) {
            write(frame);
            return;
        }
        early.add(frame);
        if (isOpen() || isLost()) { // since the look above
            sendEarly();
        }
    }

    /** Send what was given to the peer before it was open. */
    private void sendEarly() {
        for (Outgoing frame; (frame = early.poll()) != null; ) {
            write(frame);
        }
    }

    private void write(Outgoing frame) {
        Lane lane = frame.message().byteSize() > MOST_SMALL_BYTES ? large : small;
        if (lane == null) {
            frame.release();
        } else {
            lane.writer().add(frame);
        }
    }

    void onHeard(long nowNanos) {
        heardNanos = nowNanos;
    }

    /** {@return when something of it arrived last} */
    long heardNanos() {
        return heardNanos;
    }

    /** Say that this worker closes, if the other end reads. */
    void sayGoodbye() {
        Lane lane = small;
        if (lane != null && !isLost()) {
            lane.writer().addLast(Outgoing.text(FrameHeader.Kind.GOODBYE, 0, 0, "it has closed"));
        }
    }

    @Override
    public String toString() {
        return info.toString();
    }
}
