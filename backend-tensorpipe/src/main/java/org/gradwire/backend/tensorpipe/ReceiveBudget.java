package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.DecodingException;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of messages that are still arriving: one limit for all peers together, of which
 * a single peer may hold half, so that a peer at its limit leaves room for the others. What lies on
 * the heap has a limit of its own beside it.
 *
 * <p>Memory is charged when it is taken, not when it is announced, until the message is handed in.
 * Thread-safe.
 */
final class ReceiveBudget {
    private static final int SHARES = 2;

    private final Pool all;
    private final Pool heap;

    /**
     * Create a budget.
     *
     * @param limitBytes of all memory
     * @param heapLimitBytes of memory on the heap
     */
    ReceiveBudget(long limitBytes, long heapLimitBytes) {
        all = new Pool(limitBytes, Keys.RECEIVE_BYTES + "=" + limitBytes);
        heap = new Pool(heapLimitBytes, "a part of the heap; give this worker a larger one (-Xmx)");
    }

    /** The memory that one peer holds. */
    static final class Account {
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong heapBytes = new AtomicLong();

        /** {@return bytes that the peer holds now} */
        long bytes() {
            return bytes.get();
        }
    }

    /** One limit. */
    private static final class Pool {
        private final long limit;
        private final String origin;
        private final AtomicLong total = new AtomicLong();

        Pool(long limit, String origin) {
            this.limit = limit;
            this.origin = origin;
        }

        void charge(AtomicLong account, long more) {
            long held = account.addAndGet(more);
            long sum = total.addAndGet(more);
            try {
                require(held, sum, more);
            } catch (DecodingException e) {
                giveBack(account, more);
                throw e;
            }
        }

        void giveBack(AtomicLong account, long less) {
            account.addAndGet(-less);
            total.addAndGet(-less);
        }

        void requireRoomFor(AtomicLong account, long announced) {
            require(account.get() + announced, total.get() + announced, announced);
        }

        private void require(long ofPeer, long ofAll, long more) {
            requireWithin(ofPeer, limit / SHARES, "one peer", more);
            requireWithin(ofAll, limit, "all peers", more);
        }

        private void requireWithin(long sum, long most, String whose, long more) {
            if (sum > most) {
                throw new DecodingException(
                        "%d bytes more of a message, which make %d of at most %d for %s; %s"
                                .formatted(more, sum, most, whose, origin));
            }
        }
    }

    /** The memory taken for one message; for one thread at a time. */
    final class Claim implements AutoCloseable {
        private final Account account;
        private long bytes;
        private long heapBytes;

        private Claim(Account account) {
            this.account = account;
        }

        /**
         * Charge native memory that is about to be taken.
         *
         * @throws DecodingException when it exceeds a limit; then nothing is charged
         */
        void add(long more) {
            all.charge(account.bytes, more);
            bytes += more;
        }

        /**
         * Charge memory on the heap that is about to be taken.
         *
         * @throws DecodingException when it exceeds a limit; then nothing is charged
         */
        void addOnHeap(long more) {
            heap.charge(account.heapBytes, more);
            heapBytes += more;
            add(more);
        }

        /**
         * Check that a message fits, without charging it.
         *
         * @param announced bytes in all
         * @param announcedOnHeap those of them that are known to lie on the heap
         * @throws DecodingException when it does not
         */
        void requireRoomFor(long announced, long announcedOnHeap) {
            all.requireRoomFor(account.bytes, announced);
            heap.requireRoomFor(account.heapBytes, announcedOnHeap);
        }

        /** Return all that was charged. */
        @Override
        public void close() {
            all.giveBack(account.bytes, bytes);
            heap.giveBack(account.heapBytes, heapBytes);
            bytes = 0;
            heapBytes = 0;
        }
    }

    /** {@return a claim, of nothing yet, for a message of the peer that owns the account} */
    Claim claim(Account account) {
        return new Claim(account);
    }

    /** {@return bytes that all peers hold now} */
    long totalBytes() {
        return all.total.get();
    }
}
