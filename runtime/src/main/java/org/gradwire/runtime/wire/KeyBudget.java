package org.gradwire.runtime.wire;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Set;

/**
 * Charges the insertion of keys into one set or map. {@link java.util.HashMap} orders keys of equal
 * hash code only if they are all of one {@link Comparable} class; it compares a key of any other
 * class with all earlier ones.
 */
final class KeyBudget {
    /** Minimal work of a comparison. */
    private static final int COMPARISON = 8;

    private static final Set<Class<?>> ORDERED =
            Set.of(
                    String.class,
                    Integer.class,
                    Long.class,
                    Double.class,
                    Float.class,
                    Short.class,
                    Byte.class,
                    Character.class,
                    Boolean.class);

    private final DecodingBudget budget;
    private final Collection<? extends @Nullable Object> keys;
    private @Nullable Class<?> ordered; // of all keys so far
    private @Nullable HashCounts counts; // null while all keys are ordered
    private int hash;

    /**
     * Create a budget.
     *
     * @param keys the set, or the keys of the map
     */
    KeyBudget(DecodingBudget budget, Collection<? extends @Nullable Object> keys) {
        this.budget = budget;
        this.keys = keys;
    }

    /**
     * Charge the insertion of a key.
     *
     * @param bytes the length of the key in the message
     * @param workBefore the budget's comparison work before the key was decoded
     */
    void insert(@Nullable Object key, int bytes, long workBefore) {
        int collisions = key == null || isOrdered(key) ? 0 : collisions(key);
        long comparing = COMPARISON + bytes + budget.comparisonWork() - workBefore;
        budget.insert(bytes, comparing, collisions);
        budget.setComparisonWork(workBefore + comparing * (1 + collisions));
    }

    /** Count a key that was not in the set or map before. */
    void inserted() {
        if (counts != null) {
            counts.add(hash);
        }
    }

    private boolean isOrdered(Object key) {
        if (counts != null) {
            return false;
        }
        Class<?> type = key.getClass();
        if (type == ordered) {
            return true;
        }
        boolean first = ordered == null && ORDERED.contains(type);
        if (first) {
            ordered = type;
        }
        return first;
    }

    private int collisions(Object key) {
        if (counts == null) {
            counts = new HashCounts();
            for (Object earlier : keys) {
                counts.add(earlier == null ? 0 : earlier.hashCode());
            }
        }
        hash = key.hashCode();
        return counts.count(hash);
    }
}
