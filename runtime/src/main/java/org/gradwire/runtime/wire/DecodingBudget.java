package org.gradwire.runtime.wire;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.locks.LockSupport;

/**
 * Limits the heap and the work of decoding one message, and pauses regularly, so that other virtual
 * threads run. Confined to the thread that decodes the message, except {@link #release}.
 *
 * <p>The heap is the payload and an estimate of the objects decoded so far. A message that stays
 * open, so that others may arrive meanwhile, takes all of it from the {@link DecodingHeap} of its
 * peer. A message that ends before the next one arrives takes only the part above {@link #FREE}.
 *
 * <p>A unit of work is one byte of a key of a set or map that is hashed, or compared with an
 * earlier key of equal hash code.
 */
final class DecodingBudget {
    static final int WORK_PER_BYTE = 16;
    static final long LEAST_WORK = 1 << 20;

    /** Uncounted bytes of a message that does not stay open. */
    static final long FREE = 64 * 1024;

    /** Approximate heap of an open request in addition to its message. */
    static final long OPEN_BYTES = 2 * 1024;

    private static final long STEP = 1 << 20;
    private static final int UNITS_PER_LOOK = 1 << 18; // at the clock, about every millisecond
    private static final long MOST_NANOS_WITHOUT_PAUSE = 2_000_000;

    private final DecodingHeap heap;
    private final int peer; // NOWHERE when no peer sent the message
    private final long workLimit;
    private long heapBytes;
    private long covered = FREE; // of the heap bytes, covered by what was taken or is free
    private long taken; // of the heap; guarded by this
    private DecodingHeap.@Nullable Account
            account; // null until something is taken; guarded by this
    private boolean isOpen;
    private boolean isReleased; // guarded by this
    private long work;
    private long sinceLook;
    private long lastPauseNanos; // 0: not known
    private long comparisonWork;

    /**
     * Create a budget.
     *
     * @param heap the heap of the worker's messages
     * @param peer the sender of the message; {@link Output#NOWHERE} for saved bytes
     * @param payloadBytes size of the message; the limit of work is proportional to it
     */
    DecodingBudget(DecodingHeap heap, int peer, int payloadBytes) {
        this.heap = heap;
        this.peer = peer;
        this.workLimit = Math.max(LEAST_WORK, (long) WORK_PER_BYTE * payloadBytes);
    }

    /**
     * Charge the heap of an object before it is allocated.
     *
     * @throws DecodingException when it exceeds the limit
     */
    void allocate(long bytes) {
        heapBytes += bytes;
        if (heapBytes > covered) {
            cover();
        }
        pauseAfter(bytes);
    }

    private void cover() {
        long limit = heap.peerLimit();
        if (heapBytes > limit) {
            throw new DecodingException(
                    "decoding the message takes more than %d bytes of heap, a quarter of the heap of this worker; send less in one message, or give the worker a larger heap (-Xmx)"
                            .formatted(limit));
        }
        long step = Math.min(Math.min(STEP, covered), limit - covered);
        cover(Math.max(heapBytes - covered, step));
    }

    private synchronized void cover(long more) {
        take(more);
        covered += more;
    }

    private void take(long more) {
        if (peer != Output.NOWHERE && !isReleased) {
            account = account == null ? heap.of(peer) : account;
            account.take(more);
            taken += more;
        }
    }

    /**
     * Charge the heap of the whole message, because it stays open. Call on the thread that received
     * it, before another thread decodes it: objects that are decoded concurrently may be missed.
     * Further calls have no effect.
     *
     * @param bufferBytes the heap of its buffers
     * @throws DecodingException if it exceeds a limit; nothing is charged then
     */
    void keepOpen(long bufferBytes) {
        if (!isOpen) {
            takeOpen(bufferBytes);
            isOpen = true;
        }
    }

    private synchronized void takeOpen(long bufferBytes) {
        boolean wasFree = taken == 0;
        take(bufferBytes + OPEN_BYTES + (wasFree ? heapBytes : FREE));
        if (wasFree) {
            covered = heapBytes + OPEN_BYTES / 2;
        }
    }

    /** Release the charged heap: the message has its reply. Called on any thread. */
    synchronized void release() {
        if (account != null && !isReleased) {
            account.giveBack(taken);
        }
        isReleased = true;
    }

    /**
     * Charge the hashing of a key, and its comparison with earlier keys of equal hash code.
     *
     * @param hashing the work of its hash code
     * @param comparing the work of one comparison
     * @param collisions the number of comparisons
     * @throws DecodingException when it exceeds the limit
     */
    void insert(long hashing, long comparing, int collisions) {
        long left = workLimit - work - hashing;
        if (left < 0 || (collisions > 0 && comparing > left / collisions)) {
            throw new DecodingException(
                    "the keys of a set or map take more than %d units of work to hash and compare (%d for each byte of the message, at least %d): too many have equal hash codes, or sets nest too deep; send a list"
                            .formatted(workLimit, WORK_PER_BYTE, LEAST_WORK));
        }
        long spent = hashing + comparing * collisions;
        work += spent;
        pauseAfter(spent);
    }

    /**
     * {@return the work of the comparisons of all sets and maps decoded so far, above one unit for
     * each of their bytes}
     */
    long comparisonWork() {
        return comparisonWork;
    }

    void setComparisonWork(long units) {
        comparisonWork = units;
    }

    /**
     * Pause if the work has taken long: virtual threads are not preempted, so a large message would
     * delay other calls. {@link Thread#yield} does not help the calls that a poller starts: a
     * carrier takes those only when its own queue is empty, and two threads that yield keep it
     * full.
     */
    private void pauseAfter(long units) {
        sinceLook += units;
        if (sinceLook > UNITS_PER_LOOK) {
            sinceLook = 0;
            if (Thread.currentThread().isVirtual()) {
                pauseAfterLong(System.nanoTime());
            }
        }
    }

    private void pauseAfterLong(long now) {
        if (lastPauseNanos == 0) {
            lastPauseNanos = now;
        } else if (now - lastPauseNanos > MOST_NANOS_WITHOUT_PAUSE) {
            LockSupport.parkNanos(1);
            lastPauseNanos = System.nanoTime();
        }
    }
}
