package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The tensors that a restricted pass computes gradients of. */
final class BackwardTargets {
    private final List<Target> targets = new ArrayList<>();
    private final List<Node> leaves = new ArrayList<>();

    /** Receives the gradient of one input of a node, and whether its memory is exclusive. */
    record Capture(int inputIndex, Taker taker) {}

    /** Takes a gradient. */
    @FunctionalInterface
    interface Taker {

        /** Receive a gradient; it may be kept without a copy only if it is exclusive. */
        void accept(Tensor gradient, boolean exclusive);
    }

    private record Target(Node node, Capture capture) {}

    /** Register a receiver of a tensor's gradient. */
    void capture(Tensor tensor, Taker taker) {
        Edge edge = Edge.of(tensor);
        targets.add(new Target(edge.node(), new Capture(edge.inputIndex(), taker)));
    }

    /** Register a leaf whose gradient is accumulated. */
    void accumulate(Tensor leaf) {
        leaves.add(AccumulateGrad.of(leaf));
    }

    /**
     * Restrict the pass to nodes on a path from the starts to the targets, and count their
     * dependencies.
     *
     * @param states all reachable nodes, with their dependency counts
     */
    void restrict(NodeStateTable states, Collection<Node> starts) {
        List<NodeState> order = sorted(states, starts);
        order.forEach(nodeState -> nodeState.runs = false);
        leaves.forEach(leaf -> states.get(leaf).runs = true);
        targets.forEach(target -> states.get(target.node).captureFor(target.capture));
        for (NodeState nodeState : order.reversed()) {
            for (NodeState next : nodeState.next) {
                nodeState.runs |= next != null && next.wanted;
            }
            nodeState.wanted = nodeState.runs || nodeState.isCaptured();
        }
        starts.forEach(start -> states.get(start).awaited = 1);
        for (NodeState nodeState : order) {
            for (NodeState next : nodeState.next) {
                if (nodeState.runs && next != null && next.wanted) {
                    next.awaited++;
                }
            }
        }
    }

    /** Return the states in topological order; uses up their counts. */
    private static List<NodeState> sorted(NodeStateTable states, Collection<Node> starts) {
        List<NodeState> order = new ArrayList<>();
        var ready = new ArrayDeque<NodeState>();
        for (Node start : starts) {
            arrive(states.get(start), ready);
        }
        for (NodeState nodeState; (nodeState = ready.poll()) != null; ) {
            order.add(nodeState);
            for (NodeState next : nodeState.next) {
                if (next != null) {
                    arrive(next, ready);
                }
            }
        }
        return order;
    }

    private static void arrive(NodeState nodeState, ArrayDeque<NodeState> ready) {
        if (--nodeState.awaited == 0) {
            ready.add(nodeState);
        }
    }
}
