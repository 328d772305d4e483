package org.gradwire.runtime.flow;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits the bytes of messages in flight to one peer. Senders above the limit wait in a queue; a
 * message larger than the window is sent alone. Thread-safe.
 */
public final class Window {
    private static final long PAUSE_NANOS = 100_000_000; // signalled when the thread is admitted

    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();
    private final ArrayDeque<Entrant> line = new ArrayDeque<>(); // guarded by this
    private volatile int waiting; // length of the queue; written under the lock

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

    /** Enter at once; {@return false if there is no room or others wait} */
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
     * Wait for room in the queue.
     *
     * @param deadlineNanos end of the wait, by {@link System#nanoTime}
     * @param pauses called while waiting
     * @return whether there is room
     * @throws InterruptedException when the thread is interrupted; it has left the queue
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

    /** Called while a sender waits. */
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

        /** {@return the length of the next pause, in nanoseconds} */
        long nanos(int pause);

        /** Handle another pause of the first sender in the queue. */
        void firstWaits();
    }

    private void add(Entrant entrant) {
        synchronized (this) {
            line.add(entrant);
            waiting = line.size();
        }
        admit();
    }

    /** Leave the queue; {@return false if admitted meanwhile} */
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

    /** Release the room of a message. */
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

    /** Admit the first sender in the queue above the limit. */
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

    /** {@return whether a message of any size must wait} */
    boolean isFull() {
        return used.get() >= limitBytes && used.get() != 0;
    }

    /** {@return the bytes in flight} */
    public long usedBytes() {
        return used.get();
    }

    /** {@return the length of the queue} */
    public int waiting() {
        return waiting;
    }
}
