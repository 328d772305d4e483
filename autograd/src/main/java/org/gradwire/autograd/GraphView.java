package org.gradwire.autograd;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Node;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The graph of an autograd context over all workers, as it is drawn. Arrows point the way the
 * gradients flow.
 *
 * @param vertices the functions
 * @param arrows between them
 */
public record GraphView(List<Vertex> vertices, List<Arrow> arrows) {

    /**
     * A function of the graph.
     *
     * @param id unique in the graph, and a legal name in the DOT language
     * @param worker name of the worker it is on
     * @param label the function's simple name; for a leaf with its shape
     */
    public record Vertex(String id, String worker, String label) {}

    /**
     * A way of gradients.
     *
     * @param from id of the vertex they come from
     * @param to id of the vertex they go to
     * @param remote whether they go by message, from a receive function to a send function
     */
    public record Arrow(String from, String to, boolean remote) {}

    public GraphView {
        vertices = List.copyOf(vertices);
        arrows = List.copyOf(arrows);
    }

    /**
     * Collect the graph of a context from all workers of the group.
     *
     * @param roots of the backward pass, on this worker
     */
    public static GraphView of(Rpc rpc, AutogradContext context, Tensor... roots) {
        Map<String, RpcFuture<GraphFragment>> asked = new LinkedHashMap<>();
        for (WorkerInfo worker : rpc.workers()) {
            if (!worker.equals(rpc.self())) {
                asked.put(
                        worker.name(),
                        rpc.rpcAsync(worker.name(), GraphFragment::describe, context.id()));
            }
        }
        List<Node> starts = Stream.of(roots).map(Tensor::gradFn).filter(Objects::nonNull).toList();
        var merge = new Merge();
        merge.add(rpc.self().name(), GraphFragment.of(context, starts));
        asked.forEach((worker, fragment) -> merge.add(worker, fragment.join()));
        return merge.view();
    }

    /** {@return the graph in the DOT language of Graphviz, one cluster for each worker} */
    public String toDot() {
        var dot =
                new StringBuilder(
                        "digraph autograd {\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n");
        Map<String, List<Vertex>> byWorker = new LinkedHashMap<>();
        vertices.forEach(vertex ->
                byWorker.computeIfAbsent(vertex.worker, _ -> new ArrayList<>()).add(vertex));
        byWorker.forEach((worker, own) -> {
            dot.append(
                    "  subgraph \"cluster_%s\" {\n    label=\"%s\";\n".formatted(worker, worker));
            own.forEach(vertex ->
                    dot.append("    %s [label=\"%s\"];\n".formatted(vertex.id, vertex.label)));
            dot.append("  }\n");
        });
        arrows.forEach(arrow ->
                dot.append(
                        "  %s -> %s%s;\n"
                                .formatted(
                                        arrow.from,
                                        arrow.to,
                                        arrow.remote ? " [style=dashed, color=blue]" : "")));
        return dot.append("}\n").toString();
    }

    /** Puts the parts together. */
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
