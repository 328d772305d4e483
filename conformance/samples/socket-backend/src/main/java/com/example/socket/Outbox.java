package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * The frames that wait for one peer: a queue that is bounded in bytes, so that a peer that reads
 * slowly, or not at all, does not take this worker's memory.
 *
 * <p>Thread-safe. A frame that is put in belongs to the outbox, until it is taken out: then to who
 * has taken it.
 */
final class Outbox {
    /** What refusals, which are small, may take beyond the limit. */
    private static final long RESERVE = 1 << 20;

    private record Entry(Frame frame, long sinceNanos, long timeoutNanos) {
        /** Nobody waits any more for the answer to a request whose time is up. */
        boolean isStale() {
            return timeoutNanos > 0 && System.nanoTime() - sinceNanos >= timeoutNanos;
        }
    }

    private final String name;
    private final long limitBytes;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>(); // this and below guarded by this
    private long waitingBytes;
    private boolean isClosed;

    Outbox(String name, long limitBytes) {
        this.name = name;
        this.limitBytes = limitBytes;
    }

    /**
     * Put a frame at the end.
     *
     * @param timeoutNanos after which it need not be sent any more; 0 means never
     * @return false when the outbox is closed: the frame was released
     * @throws RpcException of kind REFUSED when there is no room: the frame was released
     */
    synchronized boolean add(Frame frame, long timeoutNanos) {
        long bytes = frame.byteSize();
        long limit = frame instanceof Frame.Refusal ? limitBytes + RESERVE : limitBytes;
        if (isClosed) {
            frame.release();
            return false;
        }
        // One frame always finds room, however large it is.
        if (!entries.isEmpty() && waitingBytes + bytes > limit) {
            frame.release();
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes to %s refused: %d bytes wait already, of at most %d"
                            .formatted(bytes, name, waitingBytes, limit));
        }
        entries.add(new Entry(frame, System.nanoTime(), timeoutNanos));
        waitingBytes += bytes;
        notifyAll();
        return true;
    }

    /**
     * Take the first frame out.
     *
     * @param most how long to wait for one
     * @return a heartbeat when none came; null when the outbox is closed and empty
     */
    synchronized @Nullable Frame take(Duration most) throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        while (true) {
            Entry first = entries.poll();
            if (first == null) {
                long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
                if (isClosed) {
                    return null;
                }
                if (millis <= 0) {
                    return new Frame.Heartbeat();
                }
                wait(millis);
            } else {
                waitingBytes -= first.frame.byteSize();
                if (!first.isStale()) {
                    return first.frame;
                }
                first.frame.release();
            }
        }
    }

    synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    synchronized long waitingBytes() {
        return waitingBytes;
    }

    /** Take nothing in any more. What waits can still be taken out. */
    synchronized void close() {
        isClosed = true;
        notifyAll();
    }

    /** Take nothing in any more, and release what waits. */
    synchronized void discard() {
        close();
        entries.forEach(entry -> entry.frame.release());
        entries.clear();
        waitingBytes = 0;
    }
}
