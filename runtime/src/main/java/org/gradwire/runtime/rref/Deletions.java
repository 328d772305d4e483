package org.gradwire.runtime.rref;

import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells owners of forks that are gone, of so many at a time: a collection may find a hundred
 * thousand references, and calls should not wait behind all of them.
 *
 * <p>Safe for use by many threads.
 */
final class Deletions {
    /** What an owner is told of and has not answered: some ten milliseconds of its work. */
    static final int MOST_UNANSWERED = 8192;

    /** An owner is told of more when so few are left: one by one, each would wake it. */
    private static final int FEW_UNANSWERED = MOST_UNANSWERED / 2;

    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rref");

    /** Tells an owner, and completes when it has answered, or cannot be told. */
    @FunctionalInterface
    interface Message {
        CallFuture<@Nullable Void> send(int owner, Fork fork);
    }

    /** A fork that is gone. */
    record Fork(GloballyUniqueId rrefId, GloballyUniqueId forkId) {}

    /** What one owner is to be told. Guarded by the deletions. */
    private static final class Owner {
        private final ArrayDeque<Fork> waiting = new ArrayDeque<>();
        private int unanswered;
        private boolean isBusy; // from the most unanswered to the few
        private boolean isBeingTold;
    }

    private final Message message;
    private final Map<Integer, Owner> owners = new HashMap<>(); // guarded by this

    Deletions(Message message) {
        this.message = message;
    }

    /** Tell an owner, now or when it has answered others. */
    void send(int owner, Fork fork) {
        synchronized (this) {
            owners.computeIfAbsent(owner, _ -> new Owner()).waiting.add(fork);
        }
        tell(owner);
    }

    /**
     * Tell of what may be told; one thread at a time, as an answer may come before it is awaited.
     */
    private void tell(int owner) {
        if (begin(owner)) {
            for (Fork fork; (fork = take(owner)) != null; ) {
                tell(owner, fork);
            }
        }
    }

    private void tell(int owner, Fork fork) {
        try {
            message.send(owner, fork).whenEnded((_, failure) -> ended(owner, fork, failure));
        } catch (RuntimeException failure) {
            ended(owner, fork, failure); // the others shall not wait for it
        }
    }

    private void ended(int owner, Fork fork, @Nullable RuntimeException failure) {
        if (failure != null) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "could not tell the owner of fork {0} of {1} that it is gone: {2}",
                    fork.forkId,
                    fork.rrefId,
                    failure.getMessage());
        }
        answered(owner);
    }

    private synchronized boolean begin(int id) {
        Owner owner = owners.get(id);
        if (owner == null || owner.isBeingTold || owner.isBusy) {
            return false;
        }
        owner.isBeingTold = true;
        return true;
    }

    /** Return what is told next, or null at the end of the telling. */
    private synchronized @Nullable Fork take(int id) {
        Owner owner = owners.get(id);
        if (owner == null) {
            return null; // stopped
        }
        Fork fork = owner.isBusy ? null : owner.waiting.poll();
        if (fork != null) {
            owner.isBusy = ++owner.unanswered == MOST_UNANSWERED;
            return fork;
        }
        owner.isBeingTold = false;
        if (owner.unanswered == 0) {
            owners.remove(id);
        }
        return null;
    }

    private void answered(int id) {
        synchronized (this) {
            Owner owner = owners.get(id);
            if (owner == null) {
                return; // stopped
            }
            owner.isBusy &= --owner.unanswered > FEW_UNANSWERED;
        }
        tell(id);
    }

    /** Forget what has not been told. */
    synchronized void stop() {
        owners.clear();
    }
}
