package org.gradwire.backend.tensorpipe.seal;

import java.util.concurrent.TimeUnit;

/**
 * Limits of the datagrams that are sealed with one key; the next key is used before one is
 * exceeded.
 *
 * @param bytes at least one datagram's
 */
public record RekeyLimits(long bytes) {
    /** Datagrams are numbered by 31 bits within an epoch. */
    static final int MOST_DATAGRAMS = Integer.MAX_VALUE;

    static final long MOST_NANOS = TimeUnit.HOURS.toNanos(1);

    /**
     * {@return whether a key that sealed this number of datagrams and bytes may seal another
     * datagram}
     */
    boolean permit(int datagrams, long sealedBytes, int more, long ageNanos) {
        return datagrams == 0
                || (datagrams < MOST_DATAGRAMS
                        && sealedBytes + more <= bytes
                        && ageNanos <= MOST_NANOS);
    }
}
