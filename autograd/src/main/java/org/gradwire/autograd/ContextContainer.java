package org.gradwire.autograd;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.PeerLog;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The contexts that a worker takes part in, and which thread is in which.
 *
 * <p>Ids are unique over all workers: the worker's own in the upper 16 bits, a counter below. A
 * context is made when its first message comes in, which names it by a {@link ContextKey}: who does
 * not know the secret in it takes no part. Released ones are remembered for a while, so that a
 * message that comes late does not bring one back.
 */
final class ContextContainer {
    private static final int WORKER_SHIFT = 48;
    static final int INCARNATION_SHIFT = 32;
    private static final long COUNTER_MASK = (1L << WORKER_SHIFT) - 1;

    private final Worker worker;
    private final StallWatch stalls;
    private final PeerLog failedReleases;
    private final long firstId;
    private final AtomicLong nextContextId;
    private final AtomicLong nextMessageId;
    private final ThreadLocal<@Nullable AutogradContext> current = new ThreadLocal<>();
    private final NavigableMap<ContextKey, AutogradContext> contexts =
            new TreeMap<>(); // guarded by this, as are those below
    private final ReleasedContexts released = new ReleasedContexts();
    private final PeerShares shares = new PeerShares();

    ContextContainer(Worker worker, System.Logger logger) {
        this.worker = worker;
        this.failedReleases = new PeerLog(logger);
        this.stalls = new StallWatch(worker, this);
        this.firstId = firstId(worker.self().id());
        long unused = firstId + ((long) worker.incarnation() << INCARNATION_SHIFT);
        this.nextContextId = new AtomicLong(unused);
        this.nextMessageId = new AtomicLong(unused);
    }

    Worker worker() {
        return worker;
    }

    /** {@return looks after the passes of the contexts} */
    StallWatch stalls() {
        return stalls;
    }

    /** {@return lines about contexts that could not be released, or whose state is unknown} */
    PeerLog failedReleases() {
        return failedReleases;
    }

    long maxId() {
        return firstId | COUNTER_MASK;
    }

    /** {@return the lowest of the ids that a worker draws from} */
    static long firstId(int creator) {
        return (long) creator << WORKER_SHIFT;
    }

    /** {@return the worker that drew an id} */
    static int creator(long id) {
        return (int) (id >>> WORKER_SHIFT);
    }

    long newMessageId() {
        return nextMessageId.getAndIncrement();
    }

    AutogradContext open() {
        AutogradContext open = current.get();
        if (open != null) {
            throw new RpcException(
                    "Already have an autograd context id for this thread: %d; close it first, or use another thread"
                            .formatted(open.id()));
        }
        var key = new ContextKey(nextContextId.getAndIncrement(), worker.newSecret());
        var context = new AutogradContext(key, worker.self().id(), this);
        synchronized (this) {
            contexts.put(key, context);
        }
        current.set(context);
        return context;
    }

    AutogradContext current() {
        AutogradContext context = current.get();
        if (context == null) {
            throw new RpcException(
                    "Current thread doesn't have a valid autograd context. Please wrap your code using: try (var context = DistAutograd.context(rpc)) { ... }");
        }
        return context;
    }

    @Nullable AutogradContext currentOrNull() {
        return current.get();
    }

    /** Put the calling thread into a context, or into none; {@return the one it was in} */
    @Nullable AutogradContext enter(@Nullable AutogradContext context) {
        AutogradContext before = current.get();
        if (context == null) {
            current.remove();
        } else {
            current.set(context);
        }
        return before;
    }

    /**
     * Return the context with an id: that of the calling thread, or any other one when the thread
     * serves no worker, which could have guessed the id. Of several, of which all but one are
     * forged, the one that its creator has brought here; none when nothing tells which.
     */
    @Nullable AutogradContext find(long id) {
        AutogradContext own = current.get();
        if (own != null && own.id() == id) {
            return own;
        }
        if (worker.isServing()) {
            return null;
        }
        List<AutogradContext> found = allOf(id);
        return found.size() == 1
                ? found.getFirst()
                : found.stream().filter(AutogradContext::isBroughtByCreator).findAny().orElse(null);
    }

    private synchronized List<AutogradContext> allOf(long id) {
        return List.copyOf(
                contexts.subMap(
                                new ContextKey(id, Long.MIN_VALUE),
                                true,
                                new ContextKey(id, Long.MAX_VALUE),
                                true)
                        .values());
    }

    /**
     * A worker has released a context: let no message make it any more; {@return what is here of
     * it, with those that were forged under the id of a creator that releases its own}
     *
     * @param key as {@link ContextKey#forRelease} returns it
     */
    synchronized List<AutogradContext> release(int from, ContextKey key) {
        released.add(from, key);
        List<AutogradContext> all = allOf(key.id());
        return from == key.creator()
                ? all
                : all.stream().filter(context -> context.key().forRelease().equals(key)).toList();
    }

    /**
     * Let no message make a context any more that a lost worker opened, or those before it with its
     * id; {@return those that are here}
     */
    synchronized List<AutogradContext> refuseThoseOf(int lost) {
        List<ContextKey> own =
                contexts.values().stream()
                        .filter(context -> context.key().creator() == lost)
                        .filter(AutogradContext::isBroughtByCreator)
                        .map(AutogradContext::key)
                        .toList();
        released.addLost(lost, own);
        return contexts.values().stream()
                .filter(context -> context.key().creator() == lost)
                .toList();
    }

    /** {@return the contexts of other workers that only lost workers have brought} */
    synchronized List<AutogradContext> orphans() {
        return contexts.values().stream()
                .filter(context -> context.key().creator() != worker.self().id())
                .filter(context -> context.partners().stream().allMatch(released::isLost))
                .toList();
    }

    synchronized boolean isOpen(ContextKey key) {
        return contexts.containsKey(key);
    }

    /** A worker has come, perhaps with the id of a lost one. */
    synchronized void onPeerJoined(int peer) {
        released.onPeerJoined(peer);
    }

    AutogradContext lookup(long id) {
        AutogradContext context = find(id);
        if (context == null) {
            throw new RpcException(
                    worker.isServing()
                            ? unknown(id)
                                    + "; a function finds only the context in which it was called"
                            : unknown(id));
        }
        return context;
    }

    /** Return the context with a key, or null when it is not here. */
    synchronized @Nullable AutogradContext find(ContextKey key) {
        return contexts.get(key);
    }

    /**
     * Return the context that a message of a pass names.
     *
     * @throws RpcException when its sender names none that is here
     */
    AutogradContext lookup(ContextKey key) {
        AutogradContext context = find(key);
        if (context == null) {
            throw new RpcException(unknown(key.id()));
        }
        return context;
    }

    private static String unknown(long id) {
        return "Could not find autograd context with id: " + id;
    }

    /**
     * Return a context that a recorded message names, and make it if it is new; null when it was
     * released already.
     *
     * @throws RpcException when the sender has made too many
     */
    synchronized @Nullable AutogradContext join(ContextKey key, int source) {
        AutogradContext context = contexts.get(key);
        if (context == null) {
            if (key.creator() == worker.self().id() || released.contains(key)) {
                return null; // what this worker has opened is here until it is released
            }
            shares.addContext(source);
            context = new AutogradContext(key, source, this);
            contexts.put(key, context);
        }
        context.addSource(source);
        return context;
    }

    /**
     * As {@link #join}, for a message that calls a function, which leaves something in the context.
     *
     * @throws RpcException also when the sender has made too many calls
     */
    synchronized @Nullable AutogradContext joinByCall(ContextKey key, int source) {
        AutogradContext context = join(key, source);
        if (context != null && source != worker.self().id()) {
            shares.addCall(context, source);
        }
        return context;
    }

    /** Forget a context; {@return whether it was there} */
    boolean remove(AutogradContext context) {
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

    synchronized List<AutogradContext> all() {
        return List.copyOf(contexts.values());
    }
}
