package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * Who a worker is in its group.
 *
 * @param group random, the same for all its workers
 * @param incarnation random, another after each start
 */
record Identity(long group, int id, long incarnation, Token token) {
    private static final String FOUNDERS = "netty/founders";
    private static final String GROUP = "netty/group";
    private static final int HEXADECIMAL = 16;

    /** Take one for a worker that starts; the first one of a group names the group. */
    static Identity take(int id, Options options, Store store) {
        var random = new SecureRandom();
        if (store.add(FOUNDERS, 1) == 1) {
            store.set(
                    GROUP, Long.toHexString(random.nextLong()).getBytes(StandardCharsets.US_ASCII));
        }
        byte[] name = store.get(GROUP, Duration.ofNanos(options.connectTimeoutNanos()));
        try {
            long group =
                    Long.parseUnsignedLong(
                            new String(name, StandardCharsets.US_ASCII), HEXADECIMAL);
            return new Identity(group, id, random.nextLong(), options.token());
        } catch (NumberFormatException e) {
            throw new DecodingException("the store has no name of a group at " + GROUP, e);
        }
    }

    Party party() {
        return new Party(id, incarnation);
    }

    /**
     * One end of a connection.
     *
     * @param id of the worker
     */
    record Party(int id, long incarnation) {}
}
