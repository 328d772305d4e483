package org.gradwire.runtime.wire;

import org.gradwire.spi.DecodingException;

import java.util.HashMap;
import java.util.Map;

/**
 * The heap that the messages of all peers take from their decoding until they are answered: one
 * limit for all, of which a single peer may take half. A peer at its limit is refused, and takes
 * nothing from the others. Thread-safe.
 */
public final class DecodingHeap {
    private static final int SHARES = 2;
    private static final int PART_OF_HEAP = 2;

    private final long limit;
    private final Map<Integer, Account> accounts = new HashMap<>();
    private long total;

    /** What one peer takes; guarded by the heap. */
    final class Account {
        private final int peer;
        private long bytes;
        private boolean isForgotten;

        private Account(int peer) {
            this.peer = peer;
        }

        /**
         * Take more.
         *
         * @throws DecodingException when it exceeds a limit; then nothing is taken
         */
        void take(long more) {
            synchronized (DecodingHeap.this) {
                if (!isForgotten) {
                    requireWithin(bytes + more, peerLimit(), "worker " + peer);
                    requireWithin(total + more, limit, "all peers");
                    bytes += more;
                    total += more;
                }
            }
        }

        void giveBack(long less) {
            synchronized (DecodingHeap.this) {
                if (!isForgotten) {
                    bytes -= less;
                    total -= less;
                }
            }
        }
    }

    /** Limit the estimated bytes of all messages together. */
    DecodingHeap(long limit) {
        this.limit = limit;
    }

    /** {@return half of this process's heap} */
    public static DecodingHeap ofProcess() {
        return new DecodingHeap(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    synchronized Account of(int peer) {
        return accounts.computeIfAbsent(peer, Account::new);
    }

    /** {@return the most that one peer may take, and so one message} */
    long peerLimit() {
        return limit / SHARES;
    }

    /** A peer is lost: what it took counts no more. */
    public synchronized void forget(int peer) {
        Account account = accounts.remove(peer);
        if (account != null) {
            account.isForgotten = true;
            total -= account.bytes;
        }
    }

    /** {@return estimated bytes that all peers take now} */
    public synchronized long total() {
        return total;
    }

    private static void requireWithin(long bytes, long most, String whose) {
        if (bytes > most) {
            throw new DecodingException(
                    "messages of %s would take %d bytes of heap while they are decoded and answered, of at most %d; send less at a time, or give this worker a larger heap (-Xmx)"
                            .formatted(whose, bytes, most));
        }
    }
}
