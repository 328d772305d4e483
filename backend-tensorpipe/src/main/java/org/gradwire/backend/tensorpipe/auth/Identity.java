package org.gradwire.backend.tensorpipe.auth;

import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * The identity of a worker in its group.
 *
 * @param group random, the same for all workers of the group
 * @param incarnation random, new with each start
 * @param authenticator for proofs of the identity
 */
public record Identity(long group, int id, long incarnation, Authenticator authenticator) {
    private static final String FOUNDERS = "tensorpipe/founders";
    private static final String GROUP = "tensorpipe/group";
    private static final int HEXADECIMAL = 16;

    /**
     * Create the identity of a starting worker. The first worker of a group chooses the group's
     * number.
     *
     * @param timeout of the wait for that number
     */
    public static Identity take(int id, SharedSecret secret, Store store, Duration timeout) {
        var random = new SecureRandom();
        if (store.add(FOUNDERS, 1) == 1) {
            String name = Long.toHexString(random.nextLong());
            store.set(GROUP, name.getBytes(StandardCharsets.US_ASCII));
        }
        byte[] name = store.get(GROUP, timeout);
        long group =
                Long.parseUnsignedLong(new String(name, StandardCharsets.US_ASCII), HEXADECIMAL);
        return new Identity(group, id, random.nextLong(), new Authenticator(secret, group));
    }

    public Authenticator.Party party() {
        return new Authenticator.Party(id, incarnation);
    }
}
