package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * The queue of frames for one peer. It is bounded in bytes, so that a slow peer cannot exhaust this
 * worker's memory.
 *
 * <p>Thread-safe. The queue owns a frame from {@code add} to {@code take}, then the caller of
 * {@code take} owns it.
 */
final class Outbox {
    /** Bytes for refusals, which are small, in addition to the limit. */
    private static final long RESERVE = 1 << 20;

    private record Entry(Frame frame, long sinceNanos, long timeoutNanos) {
        /** A stale request has passed its deadline, so no call waits for its reply. */
        boolean isStale() {
            return timeoutNanos > 0 && System.nanoTime() - sinceNanos >= timeoutNanos;
        }
    }

    private final String name;
    private final long limitBytes;
    private final ArrayDeque<Entry> entries =
            new ArrayDeque<>(); // guarded by this, as are the fields below
    private long waitingBytes;
    private boolean isClosed;

    Outbox(String name, long limitBytes) {
        this.name = name;
        this.limitBytes = limitBytes;
    }

    /**
     * Append a frame.
     *
     * @param timeoutNanos time after which it need not be sent; 0 means never
     * @return false if the queue is closed; the frame was released
     * @throws RpcException of kind REFUSED if there is no room; the frame was released
     */
    synchronized boolean add(Frame frame, long timeoutNanos) {
        long bytes = frame.byteSize();
        long limit = frame instanceof Frame.Refusal ? limitBytes + RESERVE : limitBytes;
        if (isClosed) {
            frame.release();
            return false;
        }
        // A single frame always fits, however large it is.
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
     * Remove the first frame.
     *
     * @param most maximum time to wait for one
     * @return a heartbeat if none came; null if the queue is closed and empty
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

    /** Accept no more frames. Queued ones can still be taken. */
    synchronized void close() {
        isClosed = true;
        notifyAll();
    }

    /** Accept no more frames, and release the queued ones. */
    synchronized void discard() {
        close();
        entries.forEach(entry -> entry.frame.release());
        entries.clear();
        waitingBytes = 0;
    }
}
