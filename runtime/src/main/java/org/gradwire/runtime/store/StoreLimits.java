package org.gradwire.runtime.store;

/** What fits into a store. */
final class StoreLimits {
    static final int MAX_KEY_LENGTH = 1024;
    static final int MAX_VALUE_BYTES = 16 << 20;

    private StoreLimits() {}

    static void check(String key) {
        if (key.length() > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "a key of %d characters is too long for the store; at most %d"
                            .formatted(key.length(), MAX_KEY_LENGTH));
        }
    }

    static void check(String key, byte[] value) {
        check(key);
        if (value.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "a value of %d bytes is too large for the store; at most %d"
                            .formatted(value.length, MAX_VALUE_BYTES));
        }
    }
}
