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
 * Reports deleted forks to their owners: after a short delay, so that one message carries several
 * and does not delay the program's next call; and in batches, since a garbage collection may find a
 * hundred thousand and calls must not wait behind all of them.
 *
 * <p>Thread-safe.
 */
final class Deletions {
    /** Forks in one message: about 0.1 milliseconds of the owner's work. */
    static final int MOST_IN_MESSAGE = 256;

    /** Forks reported to one owner and not acknowledged. */
    static final int MOST_UNANSWERED = 32 * MOST_IN_MESSAGE;

    /**
     * Delay of a batch: longer than a call of a program that closes the reference to its result and
     * makes the next one.
     */
    static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rref");

    /** Sends a batch to an owner; completes with its reply or the failure. */
    @FunctionalInterface
    interface Message {
        CallFuture<@Nullable Void> send(int owner, List<Fork> gone);
    }

    /** A deleted fork. */
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
            List<Fork> forks = new ArrayList<>(); // at most the length of the input
            for (int i = 0; i < count; i++) {
                forks.add(new Fork(GloballyUniqueId.read(in), GloballyUniqueId.read(in)));
            }
            return forks;
        }
    }

    /** The deletions for one owner. Guarded by the enclosing object. */
    private static final class Owner {
        private final ArrayDeque<Fork> waiting = new ArrayDeque<>();
        private int unanswered;
        private boolean isDue; // its delay has passed
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

    /** Report a fork after the delay, or after earlier ones are acknowledged. */
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

    /** Report all forks without delay. */
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
     * Send the batches that may be sent, from one thread at a time: a reply may arrive while others
     * are sent.
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
            ended(id, gone, failure); // the other owners must not wait for it
        }
    }

    private void ended(int id, List<Fork> gone, @Nullable RuntimeException failure) {
        if (failure != null) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "could not report to worker {0} that {1} were deleted: {2}",
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

    /** Return the next batch; empty if there is none. */
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

    /** Count an acknowledged batch; {@return whether others wait for it} */
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

    /** Drop all unsent deletions. */
    synchronized void stop() {
        owners.clear();
    }
}
