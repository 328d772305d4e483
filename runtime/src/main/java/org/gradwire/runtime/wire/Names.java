package org.gradwire.runtime.wire;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The last names that came in messages, such as those of functions, so that not every message makes
 * them anew. Thread-safe; a name that is not found any more is only made again.
 */
final class Names {
    private static final int KEPT = 256;
    private static final int LONGEST = 512;

    private final AtomicReferenceArray<@Nullable String> kept = new AtomicReferenceArray<>(KEPT);

    /** {@return the name with these characters, of one byte each; null when it is not kept} */
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

    /** Keep a name, and return it. */
    String add(String name) {
        if (name.length() <= LONGEST) {
            kept.set(slot(name.hashCode()), name); // one of other characters is never found
        }
        return name;
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 16) & (KEPT - 1);
    }
}
