package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * Identity of a worker in its group.
 *
 * @param group random, equal for all workers of the group
 * @param incarnation random, new at each start
 */
record Identity(long group, int id, long incarnation, SharedSecret sharedSecret) {
    private static final String FOUNDERS = "netty/founders";
    private static final String GROUP = "netty/group";
    private static final int HEXADECIMAL = 16;

    /** Create the identity of a worker that starts; the first worker draws the group's number. */
    static Identity create(int id, NettyOptions options, Store store) {
        var random = new SecureRandom();
        if (store.add(FOUNDERS, 1) == 1) {
            store.set(
                    GROUP, Long.toHexString(random.nextLong()).getBytes(StandardCharsets.US_ASCII));
        }
        byte[] number = store.get(GROUP, Duration.ofNanos(options.connectTimeoutNanos()));
        try {
            long group =
                    Long.parseUnsignedLong(
                            new String(number, StandardCharsets.US_ASCII), HEXADECIMAL);
            return new Identity(group, id, random.nextLong(), options.sharedSecret());
        } catch (NumberFormatException e) {
            throw new DecodingException(
                    "the store has no hexadecimal number of a group at " + GROUP, e);
        }
    }

    Member member() {
        return new Member(id, incarnation);
    }

    /**
     * A worker as its peers address it.
     *
     * @param incarnation distinguishes it from earlier workers with its id
     */
    record Member(int id, long incarnation) {}
}
