package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.util.function.Predicate;

/**
 * A hashed timing wheel with a tick of about a millisecond: to set or cancel a timer takes constant
 * time.
 *
 * <p>G. Varghese, T. Lauck: <em>Hashed and Hierarchical Timing Wheels</em> (1987), scheme 6. A
 * timer never fires early; it fires at the first {@link #advance} after its deadline's tick.
 * Thread-safe, except that only one thread at a time may call {@link #advance}.
 */
final class DeadlineWheel {
    private static final int TICK_SHIFT = 20; // 2^20 ns, about 1.05 ms
    private static final int SLOTS = 1024;
    private static final int MASK = SLOTS - 1;

    /** A timer: a node of the list in its slot, guarded by the slot. */
    static class Timer {
        private final long id;
        private final long timeoutNanos;
        private long tick;
        private volatile @Nullable Slot slot; // also read by cancelling threads
        private @Nullable Timer previous;
        private @Nullable Timer next;

        Timer(long id, long timeoutNanos) {
            this.id = id;
            this.timeoutNanos = timeoutNanos;
        }

        long id() {
            return id;
        }

        long timeoutNanos() {
            return timeoutNanos;
        }
    }

    private static final class Slot {
        private @Nullable Timer first;

        /** Add a timer, unless its tick was processed already. */
        synchronized boolean add(Timer timer, DeadlineWheel wheel) {
            if (timer.tick <= wheel.lastTick) {
                return false;
            }
            timer.slot = this;
            timer.next = first;
            if (first != null) {
                first.previous = timer;
            }
            first = timer;
            return true;
        }

        synchronized void remove(Timer timer) {
            if (timer.slot != this) {
                return;
            }
            timer.slot = null;
            if (timer.previous != null) {
                timer.previous.next = timer.next;
            } else {
                first = timer.next;
            }
            if (timer.next != null) {
                timer.next.previous = timer.previous;
            }
            timer.previous = null;
            timer.next = null;
        }

        /** Remove the due timers, and return them linked by {@code next}. */
        synchronized @Nullable Timer takeDue(long tick) {
            Timer due = null;
            for (Timer timer = first; timer != null; ) {
                Timer following = timer.next;
                if (timer.tick <= tick) {
                    remove(timer);
                    timer.next = due;
                    due = timer;
                }
                timer = following;
            }
            return due;
        }
    }

    private final Slot[] slots = new Slot[SLOTS];
    private final long startNanos;
    private volatile long lastTick;

    DeadlineWheel(long nowNanos) {
        startNanos = nowNanos;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new Slot();
        }
    }

    void schedule(Timer timer, long deadlineNanos) {
        // The tick after the deadline's, so that a timer never fires early.
        timer.tick = tickOf(deadlineNanos) + 1;
        while (!slots[(int) timer.tick & MASK].add(timer, this)) {
            timer.tick = lastTick + 1;
        }
    }

    void cancel(Timer timer) {
        Slot slot = timer.slot;
        if (slot != null) {
            slot.remove(timer);
        }
    }

    /**
     * Fire the due timers.
     *
     * @param fire must not throw
     * @return the number of timers for which {@code fire} returned true
     */
    int advance(long nowNanos, Predicate<Timer> fire) {
        long now = tickOf(nowNanos);
        int fired = 0;
        long from = Math.max(lastTick + 1, now - MASK); // one revolution visits every slot
        for (long tick = from; tick <= now; tick++) {
            lastTick = tick;
            Timer timer = slots[(int) tick & MASK].takeDue(now);
            while (timer != null) {
                Timer following = timer.next;
                timer.next = null;
                if (fire.test(timer)) {
                    fired++;
                }
                timer = following;
            }
        }
        return fired;
    }

    private long tickOf(long nanos) {
        return (nanos - startNanos) >> TICK_SHIFT;
    }
}
