package org.gradwire.runtime.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The objects attached to a message for its interceptors. Few kinds exist, so a look-up searches
 * all.
 */
final class Attachments {
    private static final Object[] NONE = {};
    private static final int FIRST_LENGTH = 4;

    private Object[] pairs = NONE; // a class, and an object of it
    private int length;

    <T> void add(Class<T> kind, T object) {
        if (length == pairs.length) {
            pairs = Arrays.copyOf(pairs, Math.max(FIRST_LENGTH, 2 * length));
        }
        pairs[length] = kind;
        pairs[length + 1] = object;
        length += 2;
    }

    <T> List<T> of(Class<T> kind) {
        List<T> found = List.of();
        for (int i = 0; i < length; i += 2) {
            if (pairs[i] == kind) {
                found = found.isEmpty() ? new ArrayList<>(length / 2) : found;
                found.add(kind.cast(pairs[i + 1]));
            }
        }
        return found;
    }

    void clear() {
        Arrays.fill(pairs, 0, length, null);
        length = 0;
    }
}
