package org.gradwire.runtime.wire;

import org.gradwire.spi.DecodingException;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the heap of inbound messages from their decoding until their reply: one limit for all
 * peers, of which one peer may take half. A peer at its limit is refused, without effect on the
 * others. Thread-safe.
 *
 * <p>Small messages are frequent, so they share no lock: each peer has its own counter and a
 * reserve of the common limit, which changes in steps.
 */
public final class DecodingHeap {
    /** Bytes that a peer may take without a reserve; not counted in the common limit. */
    static final long FREE_OF_PEER = 64 * 1024;

    private static final int SHARES = 2;
    private static final int PART_OF_HEAP = 2;
    private static final int LEAST_STEPS = 64;
    private static final long LONGEST_STEP = 1 << 20;

    private final long limit;
    private final long step;
    private final Map<Integer, Account> accounts = new ConcurrentHashMap<>();
    private long reserved; // by all peers; guarded by this

    /** The account of one peer. */
    final class Account {
        private final int peer;
        private final AtomicLong bytes = new AtomicLong();
        private volatile long mostBytes = FREE_OF_PEER; // written under the heap's lock
        private boolean isForgotten; // guarded by the heap

        private Account(int peer) {
            this.peer = peer;
        }

        /**
         * Charge more bytes.
         *
         * @throws DecodingException if it exceeds a limit; nothing is charged then
         */
        void take(long more) {
            long now = bytes.get();
            while (now + more <= mostBytes) {
                if (bytes.compareAndSet(now, now + more)) {
                    return;
                }
                now = bytes.get();
            }
            takeMore(more);
        }

        void giveBack(long less) {
            long left = bytes.addAndGet(-less);
            long most = mostBytes;
            if (most > FREE_OF_PEER && (isSmall(left) || most - left > 3 * step)) {
                shrinkReserve();
            }
        }

        /** Charge more than is reserved. Other threads must not see a refused charge. */
        private void takeMore(long more) {
            synchronized (DecodingHeap.this) {
                long needed = bytes.get() + more - mostBytes;
                if (!isForgotten && needed > 0) {
                    requireWithin(bytes.get() + more, peerLimit(), "worker " + peer);
                    requireWithin(reserved + needed, limit, "all peers");
                    long most = Math.min(peerLimit() - mostBytes, limit - reserved);
                    reserve(Math.min(needed + step, most));
                }
                long now = bytes.addAndGet(more);
                if (!isForgotten) {
                    reserve(Math.max(0, now - mostBytes)); // others took some of it meanwhile
                }
            }
        }

        private void shrinkReserve() {
            synchronized (DecodingHeap.this) {
                long now = bytes.get();
                long most = isSmall(now) ? FREE_OF_PEER : Math.min(now + step, peerLimit());
                if (isForgotten || most >= mostBytes) {
                    return;
                }
                reserve(most - mostBytes);
                // A concurrent take may have seen the old reserve.
                reserve(Math.max(0, bytes.get() - mostBytes));
            }
        }

        @SuppressWarnings(
                "NonAtomicVolatileUpdate") // written under the lock of the heap, read without
        private void reserve(long more) {
            reserved += more;
            mostBytes += more;
        }
    }

    /** Limit the estimated bytes of all messages together. */
    DecodingHeap(long limit) {
        this.limit = limit;
        this.step = Math.clamp(limit / LEAST_STEPS, 1, LONGEST_STEP);
    }

    /** {@return half of this process's heap} */
    public static DecodingHeap ofProcess() {
        return new DecodingHeap(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    private static boolean isSmall(long bytes) {
        return bytes <= FREE_OF_PEER / 2;
    }

    Account of(int peer) {
        Account account = accounts.get(peer);
        return account == null ? accounts.computeIfAbsent(peer, Account::new) : account;
    }

    /** {@return the limit of one peer, and so of one message} */
    long peerLimit() {
        return limit / SHARES;
    }

    /** Remove the account of a lost peer. */
    public synchronized void forget(int peer) {
        Account account = accounts.remove(peer);
        if (account != null) {
            account.isForgotten = true;
            reserved -= account.mostBytes - FREE_OF_PEER;
        }
    }

    /** {@return the estimated bytes of all peers now} */
    public long total() {
        return accounts.values().stream().mapToLong(account -> account.bytes.get()).sum();
    }

    /** {@return the bytes of the common limit that peers have reserved} */
    synchronized long reserved() {
        return reserved;
    }

    private static void requireWithin(long bytes, long most, String whose) {
        if (bytes > most) {
            throw new DecodingException(
                    "messages of %s would take %d bytes of heap until their replies, of at most %d; send less at a time, or give this worker a larger heap (-Xmx)"
                            .formatted(whose, bytes, most));
        }
    }
}
