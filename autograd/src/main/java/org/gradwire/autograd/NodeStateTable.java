package org.gradwire.autograd;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Hash table with open addressing, of the states of a task by the identity of their nodes. It grows
 * fourfold, as each growth visits all nodes in an order without cache locality.
 */
final class NodeStateTable {
    private static final int SMALLEST = 16;

    private @Nullable NodeState[] slots = new @Nullable NodeState[SMALLEST];
    private int size;
    private long steps;

    /** {@return the state of a node, created if absent} */
    @SuppressWarnings("ReferenceEquality") // nodes are compared by identity
    NodeState get(Node node) {
        int mask = slots.length - 1;
        int slot = slot(node, mask);
        steps++;
        for (NodeState nodeState; (nodeState = slots[slot]) != null; slot = (slot + 1) & mask) {
            if (nodeState.node == node) {
                return nodeState;
            }
            steps++;
        }
        var fresh = new NodeState(node);
        slots[slot] = fresh;
        if (++size * 2 > slots.length) {
            grow();
        }
        return fresh;
    }

    private void grow() {
        @Nullable NodeState[] old = slots;
        @Nullable NodeState[] wider = new @Nullable NodeState[old.length * 4];
        for (NodeState nodeState : old) {
            if (nodeState != null) {
                int slot = slot(nodeState.node, wider.length - 1);
                steps++;
                while (wider[slot] != null) {
                    slot = (slot + 1) & (wider.length - 1);
                    steps++;
                }
                wider[slot] = nodeState;
            }
        }
        slots = wider;
    }

    private static int slot(Node node, int mask) {
        return node.hashCode() & mask;
    }

    /** {@return the number of slots probed so far} */
    long steps() {
        return steps;
    }

    void clear() {
        if (slots.length == SMALLEST) {
            Arrays.fill(slots, null);
        } else {
            slots = new @Nullable NodeState[SMALLEST];
        }
        size = 0;
    }
}
