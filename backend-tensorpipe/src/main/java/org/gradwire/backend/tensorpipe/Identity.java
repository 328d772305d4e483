package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * Who a worker is in its group.
 *
 * @param group random, the same for all its workers
 * @param incarnation random, another after each start
 * @param authenticator proves it to others
 */
record Identity(long group, int id, long incarnation, Authenticator authenticator) {
    private static final String FOUNDERS = "tensorpipe/founders";
    private static final String GROUP = "tensorpipe/group";
    private static final int HEXADECIMAL = 16;

    /** Take one for a worker that starts; the first one of a group names the group. */
    static Identity take(int id, Options options, Store store) {
        var random = new SecureRandom();
        if (store.add(FOUNDERS, 1) == 1) {
            String name = Long.toHexString(random.nextLong());
            store.set(GROUP, name.getBytes(StandardCharsets.US_ASCII));
        }
        byte[] name = store.get(GROUP, Duration.ofNanos(options.connectTimeoutNanos()));
        long group =
                Long.parseUnsignedLong(new String(name, StandardCharsets.US_ASCII), HEXADECIMAL);
        return new Identity(
                group, id, random.nextLong(), new Authenticator(options.token(), group));
    }

    Authenticator.Party party() {
        return new Authenticator.Party(id, incarnation);
    }
}
