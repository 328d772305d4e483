package org.gradwire.autograd.distributed;

import org.gradwire.autograd.AutogradGraph;
import org.gradwire.autograd.Node;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.drawing.Drawing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The graph of an autograd context over all workers, for drawing. Arrows have the direction of the
 * gradients.
 *
 * {@snippet :
 * try (var context = DistAutograd.context(rpc)) {
 *     Tensor loss = rpc.rpcSync("worker1", Model::forward, x).sum();
 *     Files.writeString(Path.of("loss.svg"), GraphView.of(rpc, context, loss).toSvg());
 * }
 * }
 *
 * <p>Graphs of one worker are drawn by {@link AutogradGraph}.
 *
 * @param vertices the functions
 * @param arrows the edges between them
 */
public record GraphView(List<Vertex> vertices, List<Arrow> arrows) {

    /**
     * A function of the graph.
     *
     * @param id unique in the graph, and a legal name in the DOT language
     * @param worker name of its worker
     * @param label the function's simple name; for a leaf with its shape
     */
    public record Vertex(String id, String worker, String label) {}

    /**
     * An edge, in the direction of the gradients.
     *
     * @param from id of the vertex at which it starts
     * @param to id of the vertex to which it leads
     * @param remote whether gradients are sent along it, from a receive function to a send function
     */
    public record Arrow(String from, String to, boolean remote) {}

    /**
     * Check the graph.
     *
     * @throws IllegalArgumentException if two vertices have the same id, or an arrow names an
     *     unknown one
     */
    public GraphView {
        vertices = List.copyOf(vertices);
        arrows = List.copyOf(arrows);
        Map<String, Integer> numbers = numbers(vertices);
        for (Arrow arrow : arrows) {
            if (!numbers.containsKey(arrow.from) || !numbers.containsKey(arrow.to)) {
                throw new IllegalArgumentException(
                        "%s: there is no vertex of such an id; known are %s"
                                .formatted(arrow, numbers.keySet()));
            }
        }
    }

    /** {@return the index of each vertex in the list, by id} */
    private static Map<String, Integer> numbers(List<Vertex> vertices) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (Vertex vertex : vertices) {
            if (numbers.put(vertex.id, numbers.size()) != null) {
                throw new IllegalArgumentException(
                        "%s: another vertex has this id; each must have its own".formatted(vertex));
            }
        }
        return numbers;
    }

    /**
     * Collect the graph of a context from all workers that it has reached. The requests are not
     * recorded in the context.
     *
     * @param roots of the backward pass, on this worker
     * @throws RpcException if a worker does not reply
     */
    public static GraphView of(Rpc rpc, AutogradContext context, Tensor... roots) {
        List<Node> starts = Stream.of(roots).map(Tensor::gradFn).filter(Objects::nonNull).toList();
        GraphFragment own = GraphFragment.of(context.state(), starts);
        var merge = new Merge();
        merge.add(rpc.self().name(), own);
        fragmentsOfOthers(rpc, context.state().key(), own)
                .forEach((worker, fragment) -> merge.add(rpc.worker(worker).name(), fragment));
        return merge.view();
    }

    /** Ask the members of the context, each of which names its peers. */
    private static Map<Integer, GraphFragment> fragmentsOfOthers(
            Rpc rpc, ContextKey context, GraphFragment own) {
        Map<Integer, GraphFragment> fragments = new TreeMap<>();
        Set<Integer> known = new HashSet<>(Set.of(own.worker()));
        Set<Integer> next = new TreeSet<>(own.peers());
        next.removeAll(known); // it may have called itself
        while (known.addAll(next)) {
            Map<Integer, RpcFuture<GraphFragment>> asked = ask(rpc, context, next);
            next.clear();
            asked.forEach((worker, reply) -> {
                GraphFragment fragment = reply.join();
                fragments.put(worker, fragment);
                next.addAll(fragment.peers());
            });
            next.removeAll(known);
        }
        return fragments;
    }

    private static Map<Integer, RpcFuture<GraphFragment>> ask(
            Rpc rpc, ContextKey context, Set<Integer> workers) {
        Map<Integer, RpcFuture<GraphFragment>> asked = new TreeMap<>();
        ContextContainer contexts = DistAutograd.contexts(rpc);
        ContextState current = contexts.enter(null);
        try {
            for (WorkerInfo worker : rpc.workers()) {
                if (workers.contains(worker.id())) {
                    asked.put(
                            worker.id(),
                            rpc.rpcAsync(
                                    worker.name(),
                                    GraphFragment::describe,
                                    context.id(),
                                    context.secret()));
                }
            }
        } finally {
            contexts.enter(current);
        }
        return asked;
    }

    /** {@return the graph in the DOT language of Graphviz, one cluster for each worker} */
    public String toDot() {
        return drawing().toDot();
    }

    /**
     * {@return an SVG picture of the graph, with a frame for each worker and dashed arrows between
     * them}
     *
     * @throws IllegalStateException if the graph has more than 2000 vertices, too many to read;
     *     {@link #toDot} has no limit
     */
    public String toSvg() {
        return drawing().toSvg();
    }

    private Drawing drawing() {
        Map<String, Integer> numbers = numbers(vertices);
        List<Drawing.Arrow> drawn = new ArrayList<>(arrows.size());
        for (Arrow arrow : arrows) {
            int from = numbers.getOrDefault(arrow.from, -1); // never absent
            int to = numbers.getOrDefault(arrow.to, -1);
            drawn.add(new Drawing.Arrow(from, to, "", arrow.remote));
        }
        return new Drawing(
                vertices.stream()
                        .map(vertex ->
                                new Drawing.Box(
                                        vertex.id, vertex.label, color(vertex), vertex.worker))
                        .toList(),
                drawn);
    }

    private static String color(Vertex vertex) {
        if (vertex.label.contains("Rpc")) {
            return "#fde8c8";
        }
        return vertex.label.startsWith("AccumulateGrad") ? "#dff0d8" : "#ffffff";
    }

    /** Merges the fragments of all workers. */
    private static final class Merge {
        private final List<Vertex> vertices = new ArrayList<>();
        private final List<Arrow> arrows = new ArrayList<>();
        private final Map<Long, String> sends = new HashMap<>();
        private final Map<Long, String> receives = new LinkedHashMap<>();

        void add(String worker, GraphFragment fragment) {
            for (int i = 0; i < fragment.labels().size(); i++) {
                vertices.add(new Vertex(id(fragment, i), worker, fragment.labels().get(i)));
            }
            for (int i = 0; i < fragment.from().size(); i++) {
                arrows.add(
                        new Arrow(
                                id(fragment, fragment.from().get(i)),
                                id(fragment, fragment.to().get(i)),
                                false));
            }
            fragment.sends().forEach((message, index) -> sends.put(message, id(fragment, index)));
            fragment.receives()
                    .forEach((message, index) -> receives.put(message, id(fragment, index)));
        }

        private static String id(GraphFragment fragment, int index) {
            return "w" + fragment.worker() + "_" + index;
        }

        GraphView view() {
            receives.forEach((message, receive) -> {
                String send = sends.get(message);
                if (send != null) {
                    arrows.add(new Arrow(receive, send, true));
                }
            });
            return new GraphView(vertices, arrows);
        }
    }
}
