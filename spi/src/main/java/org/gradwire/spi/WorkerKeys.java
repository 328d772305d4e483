package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

/** The form of the keys of entries that belong to a worker: {@code worker/NAME/KEY}. */
final class WorkerKeys {
    static final String PREFIX = "worker/";
    static final char SEPARATOR = '/';

    private WorkerKeys() {}

    /** {@return the worker of a key with the prefix, otherwise null; possibly no worker's name} */
    static @Nullable String ownerOf(String key) {
        if (!key.startsWith(PREFIX)) {
            return null;
        }
        int end = key.indexOf(SEPARATOR, PREFIX.length());
        return key.substring(PREFIX.length(), end < 0 ? key.length() : end);
    }
}
