package org.gradwire.runtime.thread;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.Executor;

/**
 * Runs inbound calls on virtual threads, at most a number of them at a time; further ones are
 * queued, and peers take turns. A call that waits for another does not count, so nested calls
 * cannot deadlock. Thread-safe.
 *
 * <p>One peer may use at most seven eighths of the number, so that functions of one peer that do
 * not end leave room for the calls of others.
 */
public final class RunningCalls {
    private static final int RESERVED_PART = 8;

    private final Executor threads;
    private final int limit;
    private final int limitOfPeer;
    private final ThreadLocal<@Nullable Peer> counted = new ThreadLocal<>();
    private final Map<Integer, Peer> peers = new HashMap<>(); // all guarded by this
    private final SequencedSet<Peer> queued = new LinkedHashSet<>(); // those with waiting calls
    private int running;
    private int waiting;

    /** The calls of a peer. */
    private static final class Peer {
        private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
        private int running;
    }

    public RunningCalls(Executor threads, int limit) {
        this.threads = threads;
        this.limit = limit;
        limitOfPeer = limit - limit / RESERVED_PART;
    }

    /** Run a call of a peer on a virtual thread, now or when another one ends. */
    public void start(int peer, Runnable call) {
        Peer caller;
        synchronized (this) {
            caller = peers.computeIfAbsent(peer, _ -> new Peer());
            if (running >= limit || caller.running >= limitOfPeer) {
                caller.waiting.add(call);
                queued.add(caller);
                waiting++;
                return;
            }
            running++;
            caller.running++;
        }
        launch(caller, call);
    }

    private void launch(Peer caller, Runnable call) {
        threads.execute(() -> {
            counted.set(caller);
            try {
                call.run();
            } finally {
                counted.set(null);
                leave(caller);
            }
        });
    }

    private void leave(Peer caller) {
        Peer next;
        Runnable call;
        synchronized (this) {
            running--;
            caller.running--;
            next = running < limit ? nextPeer() : null;
            if (next == null) {
                return;
            }
            call = next.waiting.remove();
            waiting--;
            running++;
            next.running++;
            queued.remove(next);
            if (!next.waiting.isEmpty()) {
                queued.addLast(next); // peers take turns
            }
        }
        launch(next, call);
    }

    private @Nullable Peer nextPeer() {
        for (Peer peer : queued) {
            if (peer.running < limitOfPeer) {
                return peer;
            }
        }
        return null;
    }

    /** {@return whether the calling thread runs a call} */
    public boolean counts() {
        return counted.get() != null;
    }

    /** Stop counting the call that this thread runs, if any: the thread begins to wait. */
    public void beginWait() {
        Peer peer = counted.get();
        if (peer != null) {
            leave(peer);
        }
    }

    /**
     * Count the call that this thread runs again, if any: the thread continues. It is not delayed,
     * so the limit may be exceeded temporarily.
     */
    public void endWait() {
        Peer peer = counted.get();
        if (peer != null) {
            synchronized (this) {
                running++;
                peer.running++;
            }
        }
    }

    private synchronized int running() {
        return running;
    }

    /** {@return the number of queued calls} */
    public synchronized int waiting() {
        return waiting;
    }

    /** {@return metrics of the threads, by PyTorch's names} */
    public Map<String, String> debugInfo() {
        return Map.of(
                "agent.thread_pool_size", Integer.toString(limit),
                "agent.num_idle_threads", Integer.toString(Math.max(0, limit - running())));
    }
}
