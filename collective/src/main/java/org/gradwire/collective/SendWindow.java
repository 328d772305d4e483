package org.gradwire.collective;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.spi.Input;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The parts of a {@link Sequence} that this worker has sent and that are not acknowledged, and its
 * operations that run on other threads. A worker that is far ahead of its peers waits here.
 * Thread-safe.
 */
final class SendWindow {
    /** Operations that may begin before all peers have begun the first of them. */
    static final int SIZE = Sequence.MAX_AHEAD / 4;

    private final Deque<Sent> unacknowledged = new ArrayDeque<>(); // guarded by itself
    private final Deque<RpcFuture<?>> running = new ArrayDeque<>(); // guarded by itself

    /**
     * A part.
     *
     * @param number of its operation
     */
    private record Sent(long number, RpcFuture<Input> acknowledgement) {}

    void sent(long number, RpcFuture<Input> acknowledgement) {
        synchronized (unacknowledged) {
            unacknowledged.add(new Sent(number, acknowledgement));
        }
    }

    /**
     * Wait while this worker is too far ahead of the slowest peer.
     *
     * @param next number of the operation that is to begin
     */
    void awaitRoom(long next) {
        Sent oldest = oldestUnacknowledged();
        while (oldest != null && oldest.number <= next - SIZE) {
            try {
                var _ = oldest.acknowledgement.join();
            } catch (RpcException e) {
                return; // the group is broken now: the operation fails when it begins
            }
            oldest = oldestUnacknowledged();
        }
    }

    private @Nullable Sent oldestUnacknowledged() {
        synchronized (unacknowledged) {
            Sent first = unacknowledged.peek();
            while (first != null && first.acknowledgement.isDone()) {
                unacknowledged.remove();
                first = unacknowledged.peek();
            }
            return first;
        }
    }

    /** Wait until the peers have begun the operations that this worker has begun. */
    void awaitAcknowledged() {
        List<Sent> open;
        synchronized (unacknowledged) {
            open = new ArrayList<>(unacknowledged);
        }
        open.forEach(sent -> sent.acknowledgement.join());
    }

    /** Add an operation that runs on another thread. */
    void running(RpcFuture<?> operation) {
        synchronized (running) {
            running.add(operation);
        }
    }

    /** Wait while many operations run on other threads. */
    void awaitRunning() {
        RpcFuture<?> oldest;
        synchronized (running) {
            running.removeIf(RpcFuture::isDone);
            oldest = running.size() < SIZE ? null : running.peek();
        }
        try {
            var _ = oldest == null ? null : oldest.join();
        } catch (RuntimeException e) {
            return; // of that operation
        }
    }
}
