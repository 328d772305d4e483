package org.gradwire.runtime.wire;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A cache of names in messages, such as those of functions, so that messages share one string.
 * Entries may be lost at any time. Thread-safe.
 */
final class Names {
    private static final int KEPT = 256;
    private static final int LONGEST = 512;

    private final AtomicReferenceArray<@Nullable String> kept = new AtomicReferenceArray<>(KEPT);

    /** {@return the name with these characters, of one byte each; null if it is not cached} */
    @Nullable String find(byte[] from, int start, int length) {
        int hash = 0;
        for (int i = start; i < start + length; i++) {
            hash = 31 * hash + from[i];
        }
        String name = kept.get(slot(hash));
        return name != null && isAt(name, from, start, length) ? name : null;
    }

    private static boolean isAt(String name, byte[] from, int start, int length) {
        if (name.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (name.charAt(i) != from[start + i]) {
                return false;
            }
        }
        return true;
    }

    /** Cache a name; {@return it} */
    String add(String name) {
        if (name.length() <= LONGEST) {
            kept.set(slot(name.hashCode()), name); // a name with other characters is never found
        }
        return name;
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 16) & (KEPT - 1);
    }
}
