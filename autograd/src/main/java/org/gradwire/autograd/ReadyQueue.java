package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/**
 * The nodes of a {@link GraphTask} whose gradients have all arrived. Nodes that another worker
 * waits for come first. Used by the thread that runs the task.
 */
final class ReadyQueue {
    private final ArrayDeque<NodeState> ready = new ArrayDeque<>();
    private final ArrayDeque<NodeState> awaited = new ArrayDeque<>(1);
    private final ArrayDeque<NodeState> unsummed = new ArrayDeque<>(1);

    /** Add a gradient of one input of a node. */
    void add(NodeState nodeState, int index, int inputs, Tensor gradient, boolean exclusive) {
        if (nodeState.add(index, inputs, gradient, exclusive)) {
            unsummed.add(nodeState);
        }
    }

    /** Count one edge of a node as done, with or without a gradient. */
    void arrived(NodeState nodeState, int inputs) {
        if (--nodeState.awaited == 0) {
            nodeState.size(inputs);
            (nodeState.node.isAwaited() ? awaited : ready).add(nodeState);
        }
    }

    /** Return the next node to run; sums are deferred while an awaited node is ready. */
    @Nullable NodeState next() {
        NodeState nodeState = awaited.poll();
        if (nodeState != null) {
            nodeState.sum();
            return nodeState;
        }
        for (NodeState partial; (partial = unsummed.poll()) != null; ) {
            partial.sum();
        }
        return ready.pollLast();
    }

    void clear() {
        ready.clear();
        awaited.clear();
        unsummed.clear();
    }
}
