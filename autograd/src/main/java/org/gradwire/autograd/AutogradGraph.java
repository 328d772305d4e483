package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.drawing.Drawing;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The backward graph of some tensors, for drawing. Arrows point in the direction of gradient flow,
 * from the results to the leaves, and are labeled with the gradients' shapes.
 *
 * {@snippet :
 * Files.writeString(Path.of("loss.svg"), AutogradGraph.of(Map.of("weight", w), loss).toSvg());
 * }
 *
 * <p>Graphs over several workers are drawn by {@link org.gradwire.autograd.distributed.GraphView}.
 */
public final class AutogradGraph {
    private final List<Vertex> vertices;
    private final List<Arrow> arrows;

    /** Kind of a vertex. */
    enum Kind {
        /** A root: a tensor whose graph was requested. */
        ROOT,
        /** A function. */
        FUNCTION,
        /** The end of the graph at a leaf. */
        LEAF
    }

    /**
     * A vertex of the graph; its number is its index in {@link AutogradGraph#vertices}.
     *
     * @param kind result, function or leaf
     * @param label the function's simple name; for a tensor its name, if it has one, and its shape
     */
    record Vertex(Kind kind, String label) {}

    /**
     * An edge along which a gradient flows.
     *
     * @param from number of the vertex they come from
     * @param to number of the vertex they go to
     * @param shape of the gradient
     */
    record Arrow(int from, int to, String shape) {}

    private AutogradGraph(List<Vertex> vertices, List<Arrow> arrows) {
        this.vertices = List.copyOf(vertices);
        this.arrows = List.copyOf(arrows);
    }

    /** Return the graph behind some tensors, each of which requires a gradient. */
    public static AutogradGraph of(Tensor... roots) {
        return of(Map.of(), roots);
    }

    /**
     * Return the graph behind some tensors.
     *
     * @param names of leaves and roots, such as the parameters of a module
     * @param roots at least one; each requires a gradient
     * @throws IllegalArgumentException when one does not
     */
    public static AutogradGraph of(Map<String, Tensor> names, Tensor... roots) {
        var walk = new Walk(names);
        for (Tensor root : roots) {
            if (!root.requiresGrad()) {
                throw new IllegalArgumentException(
                        "a tensor that requires no gradient has no graph: "
                                + TensorAccess.describe(root));
            }
            walk.addRoot(root);
        }
        walk.run();
        return new AutogradGraph(walk.vertices, walk.arrows);
    }

    /** {@return the results, the functions behind them, and the leaves} */
    List<Vertex> vertices() {
        return vertices;
    }

    /** {@return the edges between the vertices} */
    List<Arrow> arrows() {
        return arrows;
    }

    /** Visits nodes breadth-first and numbers them. */
    private static final class Walk {
        private final IdentityHashMap<Tensor, String> names = new IdentityHashMap<>();
        private final IdentityHashMap<Node, Integer> numbers = new IdentityHashMap<>();
        private final ArrayDeque<Node> left = new ArrayDeque<>();
        private final List<Vertex> vertices = new ArrayList<>();
        private final List<Arrow> arrows = new ArrayList<>();

        Walk(Map<String, Tensor> names) {
            names.forEach((name, tensor) -> this.names.put(tensor, name));
        }

        void addRoot(Tensor root) {
            vertices.add(new Vertex(Kind.ROOT, label("result", root)));
            addArrow(vertices.size() - 1, Edge.of(root));
        }

        void run() {
            for (Node node; (node = left.poll()) != null; ) {
                int from = number(node);
                for (Edge edge : node.edges) {
                    if (edge != null) {
                        addArrow(from, edge);
                    }
                }
            }
        }

        private void addArrow(int from, Edge edge) {
            int to = number(edge.node());
            boolean known = edge.inputIndex() < edge.node().inputs();
            String shape = known ? Arrays.toString(edge.node().inputShape(edge.inputIndex())) : "";
            arrows.add(new Arrow(from, to, shape));
        }

        private int number(Node node) {
            Integer known = numbers.get(node);
            if (known != null) {
                return known;
            }
            int number = vertices.size();
            numbers.put(node, number);
            vertices.add(vertex(node));
            left.add(node);
            return number;
        }

        private Vertex vertex(Node node) {
            String simple = node.name().substring(node.name().lastIndexOf(':') + 1);
            return node instanceof AccumulateGrad leaf
                    ? new Vertex(Kind.LEAF, label(simple, leaf.variable()))
                    : new Vertex(Kind.FUNCTION, simple);
        }

        private String label(String nameless, Tensor tensor) {
            @Nullable String name = names.get(tensor);
            return (name == null ? nameless : name)
                    + " "
                    + Arrays.toString(TensorAccess.dims(tensor));
        }
    }

    /** {@return the graph in the DOT language of Graphviz} */
    public String toDot() {
        return drawing().toDot();
    }

    /**
     * {@return a picture of the graph}
     *
     * @throws IllegalStateException when the graph has more than 2000 vertices, too many to read;
     *     {@link #toDot} has no limit
     */
    public String toSvg() {
        return drawing().toSvg();
    }

    private Drawing drawing() {
        List<Drawing.Box> boxes = new ArrayList<>(vertices.size());
        for (Vertex vertex : vertices) {
            boxes.add(new Drawing.Box("n" + boxes.size(), vertex.label, color(vertex.kind), ""));
        }
        return new Drawing(
                boxes,
                arrows.stream()
                        .map(arrow -> new Drawing.Arrow(arrow.from, arrow.to, arrow.shape, false))
                        .toList());
    }

    private static String color(Kind kind) {
        return switch (kind) {
            case ROOT -> "#fde8c8";
            case FUNCTION -> "#ffffff";
            case LEAF -> "#dff0d8";
        };
    }
}
