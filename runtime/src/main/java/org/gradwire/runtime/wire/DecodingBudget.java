package org.gradwire.runtime.wire;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

/**
 * Limits the heap and the work that decoding one message takes, and yields the carrier thread
 * regularly. Confined to the thread that decodes the message, but for {@link #release}.
 *
 * <p>The heap is the payload and an estimate of the objects made so far. All of it is taken from
 * the {@link DecodingHeap} of the message's peer when the message stays open, so that others may
 * come meanwhile; of one that is done with before the next one comes, only what is beyond a small
 * part.
 *
 * <p>A unit of work is a byte of a key that is hashed, or compared with an earlier key of equal
 * hash code, while a set or map is decoded.
 */
final class DecodingBudget {
    static final int WORK_PER_BYTE = 16;
    static final long LEAST_WORK = 1 << 20;

    /** Of a message that does not stay open, in bytes, that nothing counts. */
    static final long FREE = 64 * 1024;

    /** About what an open request takes besides its message, with a few small values. */
    static final long OPEN_BYTES = 2 * 1024;

    private static final long STEP = 1 << 20;
    private static final int MOST_WITHOUT_YIELD = 1 << 18; // about a millisecond

    private final DecodingHeap heap;
    private final int peer; // NOWHERE when no peer sent the message
    private final long workLimit;
    private long heapBytes;
    private long covered = FREE; // of the heap bytes, by what was taken or is free
    private long taken; // of the heap; guarded by this
    private DecodingHeap.@Nullable Account account; // once something was taken; guarded by this
    private boolean isOpen;
    private boolean isReleased; // guarded by this
    private long work;
    private long sinceYield;
    private long comparisonWork;

    /**
     * Create a budget.
     *
     * @param heap of the worker's messages
     * @param peer that sent the message; {@link Output#NOWHERE} for bytes of the program's own
     * @param payloadBytes size of the message, to which the work is proportional
     */
    DecodingBudget(DecodingHeap heap, int peer, int payloadBytes) {
        this.heap = heap;
        this.peer = peer;
        this.workLimit = Math.max(LEAST_WORK, (long) WORK_PER_BYTE * payloadBytes);
    }

    /**
     * Charge heap for an object that is about to be made.
     *
     * @throws DecodingException when it exceeds the limit
     */
    void allocate(long bytes) {
        heapBytes += bytes;
        if (heapBytes > covered) {
            cover();
        }
        yieldAfter(bytes);
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
     * The message stays open: take all of it, from its first byte. On the thread that took it in,
     * at best before another one decodes it: what that one decodes at the same time may not count.
     * Only the first call does anything.
     *
     * @param bufferBytes heap of its buffers
     * @throws DecodingException when it exceeds a limit; then nothing is taken
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

    /** The message is answered: give back what was taken. For any thread. */
    synchronized void release() {
        if (account != null && !isReleased) {
            account.giveBack(taken);
        }
        isReleased = true;
    }

    /**
     * Charge the hashing of a key, and its comparison with earlier keys of equal hash code.
     *
     * @param hashing work of its hash code
     * @param comparing work of one comparison
     * @param collisions number of comparisons
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
        yieldAfter(spent);
    }

    /**
     * {@return work of comparing all sets and maps decoded so far, beyond one unit for each of
     * their bytes}
     */
    long comparisonWork() {
        return comparisonWork;
    }

    void setComparisonWork(long units) {
        comparisonWork = units;
    }

    /** Virtual threads are not preempted: without this, large messages would delay other calls. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint only; nothing is waited for
    private void yieldAfter(long units) {
        sinceYield += units;
        if (sinceYield > MOST_WITHOUT_YIELD) {
            sinceYield = 0;
            if (Thread.currentThread().isVirtual()) {
                Thread.yield();
            }
        }
    }
}
