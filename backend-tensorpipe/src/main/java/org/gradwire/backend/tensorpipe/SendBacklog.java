package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.frame.ControlFrame;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames and messages to one peer that wait for room in the log: control frames first, then
 * small messages, then large ones.
 *
 * <p>Guarded by its {@link SendQueue}'s lock unless noted.
 */
final class SendBacklog {
    /** Limit of waiting control frames, which then take a few megabytes. */
    static final int MOST_CONTROLS = 65_536;

    /** Heap of a waiting message in addition to its payload. */
    static final long MESSAGE_HEAP_BYTES = 256;

    private final long limitBytes;
    private final SendBudget heap;
    private final ArrayDeque<ControlFrame> controls = new ArrayDeque<>();
    private final ArrayDeque<OutboundMessage> small = new ArrayDeque<>();
    private final ArrayDeque<OutboundMessage> large = new ArrayDeque<>();
    private volatile long bytes;
    private long heapBytes;
    private int expiring;

    /**
     * Create an empty backlog.
     *
     * @param limitBytes of payloads and buffers that wait
     * @param heap limits the heap of waiting messages, of this and of other peers
     */
    SendBacklog(long limitBytes, SendBudget heap) {
        this.limitBytes = limitBytes;
        this.heap = heap;
    }

    /** {@return the bytes of waiting messages; for any thread} */
    long bytes() {
        return bytes;
    }

    boolean hasControls() {
        return !controls.isEmpty();
    }

    /** {@return whether a frame or message waits that precedes a new small message} */
    boolean precedesSmall() {
        return !controls.isEmpty() || !small.isEmpty();
    }

    boolean hasLarge() {
        return !large.isEmpty();
    }

    boolean hasMessages() {
        return !small.isEmpty() || !large.isEmpty();
    }

    /** Add a control frame; return false if too many wait. */
    boolean add(ControlFrame frame) {
        return controls.size() < MOST_CONTROLS && controls.add(frame);
    }

    @Nullable ControlFrame firstControl() {
        return controls.peek();
    }

    void removeFirstControl() {
        controls.remove();
    }

    /**
     * Check the limits before a message is added.
     *
     * @throws RpcException if it exceeds one
     */
    void requireRoomFor(OutboundMessage message) {
        long added = message.bodyLength();
        if (bytes > 0 && bytes + added > limitBytes) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes refused: %d bytes wait for this peer already, and %s=%d"
                            .formatted(added, bytes, SettingKeys.SEND_QUEUE_BYTES, limitBytes));
        }
        if (heapBytes > 0 && !heap.hasRoom(heapBytes, heapBytes(message))) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes refused: messages that wait take %d bytes of heap for this peer and %d for all, of at most %d and %d; wait for replies, or give this worker a larger heap (-Xmx)"
                            .formatted(
                                    added,
                                    heapBytes,
                                    heap.totalBytes(),
                                    heap.peerLimitBytes(),
                                    heap.limitBytes()));
        }
    }

    private static long heapBytes(OutboundMessage message) {
        return MESSAGE_HEAP_BYTES + message.payloadLength();
    }

    /** Add a message to the small or the large ones. */
    void add(OutboundMessage message, boolean isSmall) {
        (isSmall ? small : large).add(message);
        count(message, 1);
    }

    /** {@return the next message to write; null if none waits} */
    @Nullable OutboundMessage firstMessage() {
        OutboundMessage message = small.peek();
        return message != null ? message : large.peek();
    }

    /** Remove {@link #firstMessage}. */
    void removeFirstMessage() {
        count(small.isEmpty() ? large.remove() : small.remove(), -1);
    }

    /** Count a message that begins to wait (sign 1) or ceases to (sign -1). */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock, read by any thread
    private void count(OutboundMessage message, int sign) {
        bytes += sign * message.bodyLength();
        heapBytes += sign * heapBytes(message);
        heap.add(sign * heapBytes(message));
        expiring += message.expires() ? sign : 0;
    }

    /** Remove and return the messages whose call has timed out. */
    List<OutboundMessage> removeExpired(long nowNanos) {
        if (expiring == 0) {
            return List.of();
        }
        List<OutboundMessage> expired = new ArrayList<>();
        small.removeIf(message -> message.isExpired(nowNanos) && expired.add(message));
        large.removeIf(message -> message.isExpired(nowNanos) && expired.add(message));
        expired.forEach(message -> count(message, -1));
        return expired;
    }

    /** Remove all frames and messages, and return the messages. */
    List<OutboundMessage> removeAll() {
        controls.clear();
        List<OutboundMessage> all = new ArrayList<>(small);
        all.addAll(large);
        small.clear();
        large.clear();
        all.forEach(message -> count(message, -1));
        return all;
    }
}
