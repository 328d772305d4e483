package org.gradwire.runtime.wire;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

/**
 * Limits the heap and the work that decoding one message takes, and yields the carrier thread
 * regularly. Confined to the thread that decodes the message, but for {@link #release}.
 *
 * <p>The heap is the payload and an estimate of the objects made so far; beyond a small part it is
 * taken from the {@link DecodingHeap} of the message's peer. A unit of work is a byte of a key that
 * is hashed, or compared with an earlier key of equal hash code, while a set or map is decoded.
 */
final class DecodingBudget {
    static final int WORK_PER_BYTE = 16;
    static final long LEAST_WORK = 1 << 20;

    /** Of a message, in bytes, that no other limit than its own counts. */
    static final long FREE = 64 * 1024;

    private static final long STEP = 1 << 20;
    private static final int MOST_WITHOUT_YIELD = 1 << 18; // about a millisecond

    private final @Nullable DecodingHeap heap; // null when no peer sent the message
    private final int peer;
    private final long heapLimit;
    private final long workLimit;
    private long heapBytes;
    private long taken = FREE; // of the heap, with what is free; guarded by this
    private DecodingHeap.@Nullable Account account; // once something was taken; guarded by this
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
        this.heap = peer == Output.NOWHERE ? null : heap;
        this.peer = peer;
        this.heapLimit = heap.peerLimit();
        this.workLimit = Math.max(LEAST_WORK, (long) WORK_PER_BYTE * payloadBytes);
    }

    /**
     * Charge heap for an object that is about to be made.
     *
     * @throws DecodingException when it exceeds the limit
     */
    void allocate(long bytes) {
        heapBytes += bytes;
        if (heapBytes > heapLimit) {
            throw new DecodingException(
                    "decoding the message takes more than %d bytes of heap, a quarter of the heap of this worker; send less in one message, or give the worker a larger heap (-Xmx)"
                            .formatted(heapLimit));
        }
        if (heap != null && heapBytes > FREE) {
            take(heap);
        }
        yieldAfter(bytes);
    }

    private synchronized void take(DecodingHeap from) {
        long more = heapBytes - taken;
        if (more > 0 && !isReleased) {
            account = account == null ? from.of(peer) : account;
            more = Math.max(more, Math.min(STEP, heapLimit - taken));
            account.take(more);
            taken += more;
        }
    }

    /** The message is answered: give back what was taken. For any thread. */
    synchronized void release() {
        if (account != null && !isReleased) {
            account.giveBack(taken - FREE);
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
