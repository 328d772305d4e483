package org.gradwire.runtime.store;

import java.security.SecureRandom;

/** Keys for tests. */
final class TestKeys {
    private static final SecureRandom RANDOM = new SecureRandom();

    private TestKeys() {}

    /** {@return the keys for one direction or identity} */
    static byte[] keys() {
        byte[] keys = new byte[SessionKeys.BYTES];
        RANDOM.nextBytes(keys);
        return keys;
    }

    static SessionKeys random() {
        return new SessionKeys(keys(), keys(), keys(), keys());
    }
}
