package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.DecodingException;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of messages that are still arriving: one limit for all peers together, of which
 * a single peer may hold half, so that a peer at its limit leaves room for the others.
 *
 * <p>Memory is charged when it is taken, not when it is announced. Thread-safe.
 */
final class ReceiveBudget {
    private static final int SHARES = 2;

    private final long limitBytes;
    private final AtomicLong totalBytes = new AtomicLong();

    /** Create a budget of so many bytes. */
    ReceiveBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The memory that one peer holds. */
    static final class Account {
        private final AtomicLong bytes = new AtomicLong();

        /** {@return bytes that the peer holds now} */
        long bytes() {
            return bytes.get();
        }
    }

    /** The memory taken for one message; for one thread at a time. */
    final class Claim implements AutoCloseable {
        private final Account account;
        private long bytes;

        private Claim(Account account) {
            this.account = account;
        }

        /**
         * Charge memory that is about to be taken.
         *
         * @throws DecodingException when it exceeds a limit; then nothing is charged
         */
        void add(long more) {
            charge(account, more);
            bytes += more;
        }

        /**
         * Check that a message of this size fits, without charging it.
         *
         * @throws DecodingException when it does not
         */
        void requireRoomFor(long announced) {
            requireWithin(account.bytes() + announced, shareBytes(), announced);
            requireWithin(totalBytes.get() + announced, limitBytes, announced);
        }

        /** Return all that was charged. */
        @Override
        public void close() {
            account.bytes.addAndGet(-bytes);
            totalBytes.addAndGet(-bytes);
            bytes = 0;
        }
    }

    /** {@return a claim, of nothing yet, for a message of the peer that owns the account} */
    Claim claim(Account account) {
        return new Claim(account);
    }

    /** {@return bytes that all peers hold now} */
    long totalBytes() {
        return totalBytes.get();
    }

    private long shareBytes() {
        return limitBytes / SHARES;
    }

    private void charge(Account account, long more) {
        long held = account.bytes.addAndGet(more);
        long total = totalBytes.addAndGet(more);
        try {
            requireWithin(held, shareBytes(), more);
            requireWithin(total, limitBytes, more);
        } catch (DecodingException e) {
            account.bytes.addAndGet(-more);
            totalBytes.addAndGet(-more);
            throw e;
        }
    }

    private void requireWithin(long sum, long most, long more) {
        if (sum > most) {
            throw new DecodingException(
                    "%d bytes more of a message, which make %d of at most %d for %s; %s=%d"
                            .formatted(
                                    more,
                                    sum,
                                    most,
                                    most == limitBytes ? "all peers" : "one peer",
                                    Keys.RECEIVE_BYTES,
                                    limitBytes));
        }
    }
}
