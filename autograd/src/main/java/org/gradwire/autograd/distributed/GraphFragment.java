package org.gradwire.autograd.distributed;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.autograd.Edge;
import org.gradwire.autograd.Node;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WireValue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a distributed autograd graph on one worker. Public because it is sent between
 * workers; programs use {@link GraphView}.
 *
 * @param worker id of the worker
 * @param peers ids of the workers with which it has exchanged recorded messages
 * @param labels labels of its nodes, by index
 * @param from indices of the nodes at which edges start
 * @param to indices of the nodes to which edges lead
 * @param sends index of the send function of each message id
 * @param receives index of the receive function of each message id
 */
@WireValue
public record GraphFragment(
        int worker,
        List<Integer> peers,
        List<String> labels,
        List<Integer> from,
        List<Integer> to,
        Map<Long, Integer> sends,
        Map<Long, Integer> receives) {

    /**
     * Describe the part of a context on the worker that runs this; empty if the context is unknown
     * there.
     *
     * @param secret shows that the caller takes part in the context
     */
    @RemoteCallable
    public static GraphFragment describe(long contextId, long secret) {
        Rpc rpc = Rpc.current();
        ContextState context = DistAutograd.contexts(rpc).find(new ContextKey(contextId, secret));
        return context == null
                ? new Walk().fragment(rpc.self().id(), List.of(), Map.of(), Map.of())
                : of(context, List.of());
    }

    /**
     * Describe the graph of a context on this worker, from its roots and all send and receive
     * functions.
     */
    static GraphFragment of(ContextState context, List<Node> roots) {
        var walk = new Walk();
        roots.forEach(walk::add);
        Map<Long, Integer> sends = walk.addAll(context.sendsById());
        Map<Long, Integer> receives = walk.addAll(context.receivesById());
        walk.run();
        int self = context.worker().self().id();
        return walk.fragment(self, List.copyOf(context.peers()), sends, receives);
    }

    /** Visits nodes breadth-first and numbers them. */
    private static final class Walk {
        private final IdentityHashMap<Node, Integer> indices = new IdentityHashMap<>();
        private final ArrayDeque<Node> left = new ArrayDeque<>();
        private final List<String> labels = new ArrayList<>();
        private final List<Integer> from = new ArrayList<>();
        private final List<Integer> to = new ArrayList<>();

        int add(Node node) {
            Integer known = indices.get(node);
            if (known != null) {
                return known;
            }
            int index = labels.size();
            indices.put(node, index);
            labels.add(label(node));
            left.add(node);
            return index;
        }

        Map<Long, Integer> addAll(Map<Long, ? extends Node> nodes) {
            Map<Long, Integer> added = new LinkedHashMap<>();
            nodes.forEach((id, node) -> added.put(id, add(node)));
            return added;
        }

        void run() {
            for (Node node; (node = left.poll()) != null; ) {
                int index = add(node);
                for (Edge edge : node.nextEdges()) {
                    from.add(index);
                    to.add(add(edge.node()));
                }
            }
        }

        private static String label(Node node) {
            String simple = node.name().substring(node.name().lastIndexOf(':') + 1);
            return node instanceof AccumulateGrad leaf
                    ? simple + " " + Arrays.toString(leaf.variable().shape())
                    : simple;
        }

        GraphFragment fragment(
                int worker,
                List<Integer> peers,
                Map<Long, Integer> sends,
                Map<Long, Integer> receives) {
            return new GraphFragment(worker, peers, labels, from, to, sends, receives);
        }
    }
}
