package org.gradwire.runtime.rref;

import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tells owners of forks that are gone: a moment later, when there may be more to tell in the same
 * message and the call that the program makes next is on its way; and of so many at a time, since a
 * collection may find a hundred thousand and calls should not wait behind all of them.
 *
 * <p>Safe for use by many threads.
 */
final class Deletions {
    /** What one message tells: some 0.1 milliseconds of the owner's work. */
    static final int MOST_IN_MESSAGE = 256;

    /** What an owner is told of and has not answered. */
    static final int MOST_UNANSWERED = 32 * MOST_IN_MESSAGE;

    /** Longer than a call takes whose caller gives up what it has made, and makes the next one. */
    static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rref");

    /** Tells an owner, and completes when it has answered, or cannot be told. */
    @FunctionalInterface
    interface Message {
        CallFuture<@Nullable Void> send(int owner, List<Fork> gone);
    }

    /** A fork that is gone. */
    record Fork(GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        static void writeAll(List<Fork> forks, Output out) {
            out.writeInt(forks.size());
            for (Fork fork : forks) {
                fork.rrefId.write(out);
                fork.forkId.write(out);
            }
        }

        static List<Fork> readAll(Input in) {
            int count = in.readCount(MOST_IN_MESSAGE);
            List<Fork> forks = new ArrayList<>(); // as long as what is really there
            for (int i = 0; i < count; i++) {
                forks.add(new Fork(GloballyUniqueId.read(in), GloballyUniqueId.read(in)));
            }
            return forks;
        }
    }

    /** What one owner is to be told. Guarded by the deletions. */
    private static final class Owner {
        private final ArrayDeque<Fork> waiting = new ArrayDeque<>();
        private int unanswered;
        private boolean isDue; // when its delay has passed
        private boolean isBeingTold;

        private boolean isFull() {
            return unanswered > MOST_UNANSWERED - MOST_IN_MESSAGE;
        }

        private boolean isIdle() {
            return waiting.isEmpty() && unanswered == 0 && !isDue && !isBeingTold;
        }

        private List<Fork> take() {
            int count = isFull() ? 0 : Math.min(waiting.size(), MOST_IN_MESSAGE);
            List<Fork> gone = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                gone.add(waiting.remove());
            }
            unanswered += count;
            return gone;
        }
    }

    private final Message message;
    private final WorkerTime time;
    private final Map<Integer, Owner> owners = new HashMap<>(); // guarded by this

    Deletions(Message message, WorkerTime time) {
        this.message = message;
        this.time = time;
    }

    /** Tell an owner soon, or when it has answered others. */
    void send(int id, Fork fork) {
        synchronized (this) {
            Owner owner = owners.computeIfAbsent(id, _ -> new Owner());
            owner.waiting.add(fork);
            if (owner.isDue || owner.isFull()) {
                return;
            }
            owner.isDue = true;
        }
        var _ = time.schedule(() -> delayEnded(id), DELAY_NANOS);
    }

    /** Tell all owners without a delay. */
    void flush() {
        List<Integer> ids;
        synchronized (this) {
            ids = List.copyOf(owners.keySet());
        }
        ids.forEach(this::tell);
    }

    private void delayEnded(int id) {
        synchronized (this) {
            Owner owner = owners.get(id);
            if (owner == null) {
                return; // stopped
            }
            owner.isDue = false;
        }
        tell(id);
    }

    /**
     * Tell of what may be told; one thread at a time, as an answer may come before it is awaited.
     */
    private void tell(int id) {
        if (begin(id)) {
            List<Fork> gone = take(id);
            while (!gone.isEmpty()) {
                tell(id, gone);
                gone = take(id);
            }
        }
    }

    private void tell(int id, List<Fork> gone) {
        try {
            message.send(id, gone).whenEnded((_, failure) -> ended(id, gone, failure));
        } catch (RuntimeException failure) {
            ended(id, gone, failure); // the others shall not wait for it
        }
    }

    private void ended(int id, List<Fork> gone, @Nullable RuntimeException failure) {
        if (failure != null) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "could not tell worker {0} that {1} are gone: {2}",
                    id,
                    gone,
                    failure.getMessage());
        }
        if (answered(id, gone.size())) {
            tell(id);
        }
    }

    private synchronized boolean begin(int id) {
        Owner owner = owners.get(id);
        if (owner == null || owner.isBeingTold) {
            return false;
        }
        owner.isBeingTold = true;
        return true;
    }

    /** Return what is told next; nothing at the end of the telling. */
    private synchronized List<Fork> take(int id) {
        Owner owner = owners.get(id);
        if (owner == null) {
            return List.of(); // stopped
        }
        List<Fork> gone = owner.take();
        if (gone.isEmpty()) {
            owner.isBeingTold = false;
            forgetIfIdle(id, owner);
        }
        return gone;
    }

    /** Return whether others wait for this answer. */
    private synchronized boolean answered(int id, int count) {
        Owner owner = owners.get(id);
        if (owner == null) {
            return false; // stopped
        }
        boolean wasFull = owner.isFull();
        owner.unanswered -= count;
        forgetIfIdle(id, owner);
        return wasFull;
    }

    private void forgetIfIdle(int id, Owner owner) {
        if (owner.isIdle()) {
            owners.remove(id);
        }
    }

    /** Forget what has not been told. */
    synchronized void stop() {
        owners.clear();
    }
}
