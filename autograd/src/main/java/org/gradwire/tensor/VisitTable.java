package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The visits of a task by the identity of their nodes: open addressing. It grows fourfold, as each
 * growth looks at all nodes in an order in which no cache has them.
 */
final class VisitTable {
    private static final int SMALLEST = 16;

    private @Nullable Visit[] slots = new @Nullable Visit[SMALLEST];
    private int size;
    private long steps;

    /** {@return the visit of a node, made when there is none} */
    @SuppressWarnings("ReferenceEquality") // nodes are compared by identity
    Visit get(Node node) {
        int mask = slots.length - 1;
        int slot = slot(node, mask);
        steps++;
        for (Visit visit; (visit = slots[slot]) != null; slot = (slot + 1) & mask) {
            if (visit.node == node) {
                return visit;
            }
            steps++;
        }
        var fresh = new Visit(node);
        slots[slot] = fresh;
        if (++size * 2 > slots.length) {
            grow();
        }
        return fresh;
    }

    private void grow() {
        @Nullable Visit[] old = slots;
        @Nullable Visit[] wider = new @Nullable Visit[old.length * 4];
        for (Visit visit : old) {
            if (visit != null) {
                int slot = slot(visit.node, wider.length - 1);
                steps++;
                while (wider[slot] != null) {
                    slot = (slot + 1) & (wider.length - 1);
                    steps++;
                }
                wider[slot] = visit;
            }
        }
        slots = wider;
    }

    private static int slot(Node node, int mask) {
        return node.hashCode() & mask;
    }

    /** {@return how many slots were looked at so far} */
    long steps() {
        return steps;
    }

    void clear() {
        if (slots.length == SMALLEST) {
            Arrays.fill(slots, null);
        } else {
            slots = new @Nullable Visit[SMALLEST];
        }
        size = 0;
    }
}
