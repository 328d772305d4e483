package org.gradwire.runtime.flow;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Bounds the bytes of messages under way to one peer. Who would go beyond waits in line; one
 * message may be larger than the window, alone.
 */
public final class Window {
    private static final long PAUSE_NANOS = 100_000_000; // a thread that gets room is woken

    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();
    private final ArrayDeque<Entrant> line = new ArrayDeque<>(); // guarded by this
    private volatile int waiting; // size of the line; written under the lock

    private static final class Entrant {
        private final long bytes;
        private final Thread thread = Thread.currentThread();
        private volatile boolean admitted;

        Entrant(long bytes) {
            this.bytes = bytes;
        }
    }

    Window(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** {@return whether there was room at once, and nobody waits for it} */
    boolean tryEnter(long bytes) {
        return waiting == 0 && take(bytes);
    }

    private boolean take(long bytes) {
        while (true) {
            long now = used.get();
            if (now != 0 && bytes > limitBytes - now) {
                return false;
            }
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    /**
     * Wait for room, in line.
     *
     * @param deadlineNanos by {@link System#nanoTime}, when the wait ends without it
     * @param pauses what to do in the meantime
     * @return whether there is room
     * @throws InterruptedException when the thread is interrupted; it is in line no more
     */
    boolean await(long bytes, long deadlineNanos, Pauses pauses) throws InterruptedException {
        var entrant = new Entrant(bytes);
        add(entrant);
        for (int pause = 0; !entrant.admitted; pause++) {
            long left = deadlineNanos - System.nanoTime();
            boolean interrupted = Thread.interrupted();
            if (left <= 0 || interrupted) {
                boolean admitted = !withdraw(entrant);
                if (interrupted && !admitted) {
                    throw new InterruptedException();
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return admitted;
            }
            LockSupport.parkNanos(this, Math.min(left, pauses.nanos(pause)));
            if (!entrant.admitted && isFirst(entrant)) {
                pauses.firstWaits();
            }
        }
        return true;
    }

    /** How to wait. */
    interface Pauses {
        Pauses PLAIN =
                new Pauses() {
                    @Override
                    public long nanos(int pause) {
                        return PAUSE_NANOS;
                    }

                    @Override
                    public void firstWaits() {}
                };

        /** {@return how long to wait the next time, in nanoseconds} */
        long nanos(int pause);

        /** The first in line has waited once more. */
        void firstWaits();
    }

    private void add(Entrant entrant) {
        synchronized (this) {
            line.add(entrant);
            waiting = line.size();
        }
        admit();
    }

    /** {@return false when it has been admitted} */
    private boolean withdraw(Entrant entrant) {
        synchronized (this) {
            if (!line.remove(entrant)) {
                return false;
            }
            waiting = line.size();
        }
        admit();
        return true;
    }

    private synchronized boolean isFirst(Entrant entrant) {
        return line.peek() == entrant;
    }

    /** Give room back. */
    void leave(long bytes) {
        used.addAndGet(-bytes);
        if (waiting > 0) {
            admit();
        }
    }

    private void admit() {
        while (true) {
            Entrant first;
            synchronized (this) {
                first = line.peek();
                if (first == null || !take(first.bytes)) {
                    return;
                }
                removeFirst();
            }
            let(first);
        }
    }

    /** Enter without room. */
    void enterBeyond(long bytes) {
        used.addAndGet(bytes);
    }

    /** Let the first in line go beyond the limit. */
    void admitBeyond() {
        Entrant first;
        synchronized (this) {
            first = line.peek();
            if (first == null) {
                return;
            }
            enterBeyond(first.bytes);
            removeFirst();
        }
        let(first);
    }

    private void removeFirst() {
        line.remove();
        waiting = line.size();
    }

    private static void let(Entrant entrant) {
        entrant.admitted = true;
        LockSupport.unpark(entrant.thread);
    }

    /** {@return whether a message of any size would have to wait} */
    boolean isFull() {
        return used.get() >= limitBytes && used.get() != 0;
    }

    /** {@return the bytes under way} */
    public long usedBytes() {
        return used.get();
    }

    /** {@return how many wait in line} */
    public int waiting() {
        return waiting;
    }
}
