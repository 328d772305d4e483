package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.spi.DecodingException;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of arriving messages: one limit for all peers together, of which a single peer
 * may hold half, so that it leaves room for the others. Heap memory has an additional limit.
 *
 * <p>Memory is charged from its allocation, not from its announcement, until the message is
 * dispatched. Thread-safe.
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
        all = new Pool(limitBytes, SettingKeys.RECEIVE_BYTES + "=" + limitBytes);
        heap = new Pool(heapLimitBytes, "a part of the heap; give this worker a larger one (-Xmx)");
    }

    /** The memory that one peer holds. */
    static final class Account {
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong heapBytes = new AtomicLong();

        /** {@return the bytes that the peer holds} */
        long bytes() {
            return bytes.get();
        }
    }

    /** A limit and its use. */
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
                        "a message needs %d more bytes, which would be %d for a limit of %d for %s; %s"
                                .formatted(more, sum, most, whose, origin));
            }
        }
    }

    /** The charge of one message; for one thread at a time. */
    final class Claim implements AutoCloseable {
        private final Account account;
        private long bytes;
        private long heapBytes;

        private Claim(Account account) {
            this.account = account;
        }

        /**
         * Charge native memory before its allocation.
         *
         * @throws DecodingException if it exceeds a limit; nothing is charged then
         */
        void add(long more) {
            all.charge(account.bytes, more);
            bytes += more;
        }

        /**
         * Charge heap memory before its allocation.
         *
         * @throws DecodingException if it exceeds a limit; nothing is charged then
         */
        void addOnHeap(long more) {
            heap.charge(account.heapBytes, more);
            heapBytes += more;
            add(more);
        }

        /**
         * Check that a message fits, without charging it.
         *
         * @param announced total bytes
         * @param announcedOnHeap bytes on the heap among them
         * @throws DecodingException if it does not fit
         */
        void requireRoomFor(long announced, long announcedOnHeap) {
            all.requireRoomFor(account.bytes, announced);
            heap.requireRoomFor(account.heapBytes, announcedOnHeap);
        }

        /** Release the whole charge. */
        @Override
        public void close() {
            all.giveBack(account.bytes, bytes);
            heap.giveBack(account.heapBytes, heapBytes);
            bytes = 0;
            heapBytes = 0;
        }
    }

    /** {@return an empty claim for a message of the peer that owns the account} */
    Claim claim(Account account) {
        return new Claim(account);
    }

    /** {@return the bytes that all peers hold} */
    long totalBytes() {
        return all.total.get();
    }
}
