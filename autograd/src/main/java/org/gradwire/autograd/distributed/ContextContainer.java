package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.PeerLog;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The contexts in which a worker takes part, and the current context of each thread.
 *
 * <p>The first message of a context that arrives creates it and names it by a {@link ContextKey}: a
 * worker that does not know its secret takes no part. Released contexts are remembered for a while,
 * so that a late message does not create one again.
 */
final class ContextContainer {
    private final Worker worker;
    private final PeerLog failedReleases;
    private final GlobalIds contextIds;
    private final GlobalIds messageIds;
    private final ThreadLocal<@Nullable ContextState> current = new ThreadLocal<>();
    private final NavigableMap<ContextKey, ContextState> contexts =
            new TreeMap<>(); // guarded by this, as are those below
    private final ReleasedContexts released = new ReleasedContexts();
    private final PeerShares shares = new PeerShares();

    ContextContainer(Worker worker, System.Logger logger) {
        this.worker = worker;
        this.failedReleases = new PeerLog(logger);
        this.contextIds = new GlobalIds(worker.self().id(), worker.incarnation());
        this.messageIds = new GlobalIds(worker.self().id(), worker.incarnation());
    }

    Worker worker() {
        return worker;
    }

    /** {@return the log of contexts that could not be released, or whose state is unknown} */
    PeerLog failedReleases() {
        return failedReleases;
    }

    long newMessageId() {
        return messageIds.draw();
    }

    ContextState open() {
        ContextState open = current.get();
        if (open != null) {
            throw new RpcException(
                    "Already have an autograd context id for this thread: %d; close it first, or use another thread"
                            .formatted(open.id()));
        }
        var key = new ContextKey(contextIds.draw(), worker.newSecret());
        var context = new ContextState(key, worker.self().id(), worker);
        synchronized (this) {
            contexts.put(key, context);
        }
        current.set(context);
        return context;
    }

    ContextState current() {
        ContextState context = current.get();
        if (context == null) {
            throw new RpcException(
                    "Current thread doesn't have a valid autograd context. Please wrap your code using: try (var context = DistAutograd.context(rpc)) { ... }");
        }
        return context;
    }

    @Nullable ContextState currentOrNull() {
        return current.get();
    }

    /** Set the context of the calling thread, or none; {@return the previous one} */
    @Nullable ContextState enter(@Nullable ContextState context) {
        ContextState before = current.get();
        if (context == null) {
            current.remove();
        } else {
            current.set(context);
        }
        return before;
    }

    /**
     * Return the context with an id, or null: that of the calling thread, or any other one unless
     * the thread serves a call, whose caller could have guessed the id. Of several with the id, all
     * except one are forged: return the one that its creator introduced here, or null if it is not
     * known.
     */
    @Nullable ContextState find(long id) {
        ContextState own = current.get();
        if (own != null && own.id() == id) {
            return own;
        }
        if (worker.isServing()) {
            return null;
        }
        List<ContextState> found = allOf(id);
        return found.size() == 1
                ? found.getFirst()
                : found.stream().filter(ContextState::isBroughtByCreator).findAny().orElse(null);
    }

    private synchronized List<ContextState> allOf(long id) {
        return List.copyOf(
                contexts.subMap(
                                new ContextKey(id, Long.MIN_VALUE),
                                true,
                                new ContextKey(id, Long.MAX_VALUE),
                                true)
                        .values());
    }

    /**
     * Prevent messages from creating a context that a worker has released; {@return the contexts
     * here to release: that one, and, if its creator released it, also those that were forged under
     * its id}
     *
     * @param key as {@link ContextKey#forRelease} returns it
     */
    synchronized List<ContextState> release(int from, ContextKey key) {
        released.add(from, key);
        List<ContextState> all = allOf(key.id());
        return from == key.creator()
                ? all
                : all.stream().filter(context -> context.key().forRelease().equals(key)).toList();
    }

    /**
     * Prevent messages from creating a context that a lost worker opened, or an earlier worker with
     * its id; {@return the contexts of that worker here}
     */
    synchronized List<ContextState> refuseThoseOf(int lost) {
        List<ContextKey> own =
                contexts.values().stream()
                        .filter(context -> context.key().creator() == lost)
                        .filter(ContextState::isBroughtByCreator)
                        .map(ContextState::key)
                        .toList();
        released.addLost(lost, own);
        return contexts.values().stream()
                .filter(context -> context.key().creator() == lost)
                .toList();
    }

    /** {@return the contexts that a lost worker, but not their creator, introduced here} */
    synchronized List<ContextState> introducedBy(int lost) {
        return contexts.values().stream()
                .filter(context -> context.isIntroducedBy(lost) && !context.isBroughtByCreator())
                .toList();
    }

    synchronized boolean isOpen(ContextKey key) {
        return contexts.containsKey(key);
    }

    /** Note that a worker has joined, perhaps with the id of a lost one. */
    synchronized void onPeerJoined(int peer) {
        released.onPeerJoined(peer);
    }

    ContextState lookup(long id) {
        ContextState context = find(id);
        if (context == null) {
            throw new RpcException(
                    worker.isServing()
                            ? unknown(id)
                                    + "; a function finds only the context in which it was called"
                            : unknown(id));
        }
        return context;
    }

    /** Return the context with a key, or null if it does not exist here. */
    synchronized @Nullable ContextState find(ContextKey key) {
        return contexts.get(key);
    }

    /**
     * Return the context that a message of a pass names.
     *
     * @throws RpcException if it does not exist here
     */
    ContextState lookup(ContextKey key) {
        ContextState context = find(key);
        if (context == null) {
            throw new RpcException(unknown(key.id()));
        }
        return context;
    }

    private static String unknown(long id) {
        return "Could not find autograd context with id: " + id;
    }

    /**
     * Return the context that a recorded message names, and create it if it is new; null if it was
     * released.
     *
     * @throws RpcException if the sender has introduced too many
     */
    synchronized @Nullable ContextState join(ContextKey key, int source) {
        ContextState context = contexts.get(key);
        if (context == null) {
            if (key.creator() == worker.self().id() || released.contains(key)) {
                return null; // an open context of this worker is in the map
            }
            shares.addContext(source);
            context = new ContextState(key, source, worker);
            contexts.put(key, context);
        }
        context.addSource(source);
        return context;
    }

    /**
     * As {@link #join}, for a call, which counts against its sender's limit.
     *
     * @throws RpcException also if the sender has made too many calls
     */
    synchronized @Nullable ContextState joinByCall(ContextKey key, int source) {
        ContextState context = join(key, source);
        if (context != null && source != worker.self().id()) {
            shares.addCall(context, source);
        }
        return context;
    }

    /** Forget a context; {@return whether it existed} */
    boolean remove(ContextState context) {
        if (context.equals(current.get())) {
            current.remove();
        }
        synchronized (this) {
            boolean removed = contexts.remove(context.key(), context);
            if (removed) {
                shares.remove(context);
            }
            return removed;
        }
    }

    synchronized List<ContextState> all() {
        return List.copyOf(contexts.values());
    }
}
