package org.gradwire.runtime.member;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.GroupView.MemberSubscription;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The current view of a worker's group, and the listeners that are notified of changes, in order.
 * Thread-safe.
 */
public final class MemberEvents {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.groups");

    private final List<Consumer<? super MemberEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Queue<MemberEvent> undelivered = new ArrayDeque<>(); // guarded by this
    private GroupView view; // guarded by this
    private boolean isDelivering; // guarded by this
    private boolean isClosed; // guarded by this

    /** Create the events of a worker that has not joined. */
    MemberEvents(WorkerInfo self) {
        view = new GroupView(0, List.of(self));
    }

    public synchronized GroupView view() {
        return view;
    }

    /** Set the first view of the worker, without an event. */
    public synchronized void begin(GroupView first) {
        view = first;
        notifyAll();
    }

    /**
     * Set the view after a change, and notify the listeners. Never waits for them.
     *
     * @param threads run the listeners
     */
    public synchronized void publish(MemberEvent event, Executor threads) {
        view = event.view();
        notifyAll();
        if (listeners.isEmpty()) {
            return;
        }
        undelivered.add(event);
        if (!isDelivering) {
            isDelivering = true;
            threads.execute(this::deliver);
        }
    }

    /** Add a listener of later changes. */
    public MemberSubscription listen(Consumer<? super MemberEvent> listener) {
        Consumer<MemberEvent> own = listener::accept; // so that one may be added twice
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    private void deliver() {
        for (MemberEvent event = first(); event != null; event = first()) {
            for (Consumer<? super MemberEvent> listener : listeners) {
                notify(listener, event);
            }
        }
    }

    private synchronized @Nullable MemberEvent first() {
        MemberEvent event = undelivered.poll();
        isDelivering = event != null;
        return event;
    }

    private static void notify(Consumer<? super MemberEvent> listener, MemberEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "a listener of members failed at: " + event, e);
        }
    }

    /**
     * Wait for a view that satisfies a condition.
     *
     * @return that view; the current one if the worker stops meanwhile
     * @throws RpcTimeoutException if none does in time
     */
    public synchronized GroupView await(Predicate<GroupView> condition, Duration timeout)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!isClosed && !condition.test(view)) {
            long millis = (deadline - System.nanoTime() + 999_999) / 1_000_000;
            if (millis <= 0) {
                throw new RpcTimeoutException(
                        "the group has no view that satisfies the condition after %d ms; its last one is view %d of %s"
                                .formatted(timeout.toMillis(), view.number(), view.names()));
            }
            wait(millis);
        }
        return view;
    }

    /** End the waits: the worker stops. */
    public synchronized void close() {
        isClosed = true;
        notifyAll();
    }
}
