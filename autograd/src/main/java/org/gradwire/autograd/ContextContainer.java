package org.gradwire.autograd;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The contexts that a worker takes part in, and which thread is in which.
 *
 * <p>Ids are unique over all workers: the worker's own in the upper 16 bits, a counter below. A
 * context is made when its first message comes in. Ids of released ones are remembered for a while,
 * so that a message that comes late does not bring one back.
 */
final class ContextContainer {
    private static final int WORKER_SHIFT = 48;
    private static final int INCARNATION_SHIFT = 32;
    private static final long COUNTER_MASK = (1L << WORKER_SHIFT) - 1;
    private static final long INCARNATION_MASK = (1L << INCARNATION_SHIFT) - 1;
    private static final int REMEMBERED = 100_000;

    private final Worker worker;
    private final StallWatch stalls;
    private final long firstId;
    private final AtomicLong nextContextId;
    private final AtomicLong nextMessageId;
    private final ThreadLocal<@Nullable AutogradContext> current = new ThreadLocal<>();
    private final Map<Long, AutogradContext> contexts =
            new LinkedHashMap<>(); // guarded by this, as are the released
    private final ReleasedIds released = new ReleasedIds(REMEMBERED);

    ContextContainer(Worker worker) {
        this.worker = worker;
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
        var context = new AutogradContext(nextContextId.getAndIncrement(), this);
        synchronized (this) {
            contexts.put(context.id(), context);
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

    synchronized @Nullable AutogradContext find(long id) {
        return contexts.get(id);
    }

    /** Return a context by its id; when there is none, let no message make it any more. */
    synchronized @Nullable AutogradContext findOrRefuse(long id) {
        AutogradContext context = contexts.get(id);
        if (context == null) {
            released.add(id);
        }
        return context;
    }

    /**
     * Let no message make a context any more that a lost worker opened, or those before it with its
     * id; {@return those that are here}
     */
    synchronized List<AutogradContext> refuseThoseOf(int creator) {
        List<AutogradContext> known =
                contexts.values().stream()
                        .filter(context -> creator(context.id()) == creator)
                        .toList();
        long highest =
                known.stream()
                        .mapToLong(AutogradContext::id)
                        .reduce(released.highest(creator), Math::max);
        released.addUpTo(highest | INCARNATION_MASK);
        return known;
    }

    AutogradContext lookup(long id) {
        AutogradContext context = find(id);
        if (context == null) {
            throw new RpcException("Could not find autograd context with id: " + id);
        }
        return context;
    }

    /**
     * Return a context that a message names, and make it if it is new; null when it was released
     * already.
     */
    synchronized @Nullable AutogradContext join(long id) {
        if (released.contains(id)) {
            return null;
        }
        return contexts.computeIfAbsent(id, newId -> new AutogradContext(newId, this));
    }

    /** Forget a context; {@return whether it was there} */
    boolean remove(AutogradContext context) {
        if (context.equals(current.get())) {
            current.remove();
        }
        synchronized (this) {
            released.add(context.id());
            return contexts.remove(context.id(), context);
        }
    }

    synchronized List<AutogradContext> all() {
        return List.copyOf(contexts.values());
    }
}
