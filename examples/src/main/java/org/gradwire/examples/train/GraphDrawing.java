package org.gradwire.examples.train;

import org.eclipse.elk.alg.layered.options.LayeredMetaDataProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.core.RecursiveGraphLayoutEngine;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.math.ElkPadding;
import org.eclipse.elk.core.options.CoreOptions;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.HierarchyHandling;
import org.eclipse.elk.core.util.BasicProgressMonitor;
import org.eclipse.elk.graph.ElkBendPoint;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;
import org.gradwire.autograd.GraphView;
import org.gradwire.autograd.GraphView.Arrow;
import org.gradwire.autograd.GraphView.Vertex;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Draws a distributed autograd graph as SVG: a box for each worker, laid out by the Eclipse Layout
 * Kernel.
 */
final class GraphDrawing {
    private static final double CHARACTER_WIDTH = 7.2;
    private static final double NODE_HEIGHT = 26;
    private static final double MARGIN = 12;
    private static final String HEAD =
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$.0f %2$.0f" width="%1$.0f" height="%2$.0f" font-family="sans-serif" font-size="12">
            <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
            <rect width="100%%" height="100%%" fill="white"/>
            """;

    private final ElkNode root = ElkGraphUtil.createGraph();
    private final Map<String, ElkNode> workers = new LinkedHashMap<>();
    private final Map<String, ElkNode> vertices = new LinkedHashMap<>();
    private final Map<ElkEdge, Arrow> edges = new LinkedHashMap<>();

    private GraphDrawing() {}

    static String svg(GraphView graph) {
        LayoutMetaDataService.getInstance()
                .registerLayoutMetaDataProviders(new LayeredMetaDataProvider());
        var drawing = new GraphDrawing();
        drawing.root.setProperty(CoreOptions.ALGORITHM, LayeredOptions.ALGORITHM_ID);
        drawing.root.setProperty(CoreOptions.DIRECTION, Direction.DOWN);
        drawing.root.setProperty(
                CoreOptions.HIERARCHY_HANDLING, HierarchyHandling.INCLUDE_CHILDREN);
        graph.vertices().forEach(drawing::add);
        graph.arrows().forEach(drawing::add);
        new RecursiveGraphLayoutEngine().layout(drawing.root, new BasicProgressMonitor());
        return drawing.render(graph);
    }

    private void add(Vertex vertex) {
        ElkNode node =
                ElkGraphUtil.createNode(workers.computeIfAbsent(vertex.worker(), this::workerBox));
        node.setDimensions(vertex.label().length() * CHARACTER_WIDTH + 2 * MARGIN, NODE_HEIGHT);
        vertices.put(vertex.id(), node);
    }

    private ElkNode workerBox(String worker) {
        ElkNode box = ElkGraphUtil.createNode(root);
        box.setIdentifier(worker);
        box.setProperty(CoreOptions.PADDING, new ElkPadding(2.5 * MARGIN, MARGIN, MARGIN, MARGIN));
        return box;
    }

    private void add(Arrow arrow) {
        ElkNode from = vertices.get(arrow.from());
        ElkNode to = vertices.get(arrow.to());
        if (from != null && to != null) {
            edges.put(ElkGraphUtil.createSimpleEdge(from, to), arrow);
        }
    }

    private String render(GraphView graph) {
        var svg = new StringBuilder(format(HEAD, root.getWidth(), root.getHeight()));
        workers.forEach((worker, box) -> {
            svg.append(rectangle(box, "#f2f6fb", "#9db4cc", 8));
            svg.append(
                    format(
                            "<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\" fill=\"#35516e\">%s</text>%n",
                            x(box) + MARGIN, y(box) + 1.5 * MARGIN, worker));
        });
        edges.forEach((edge, arrow) ->
                edge.getSections().forEach(section -> svg.append(path(edge, section, arrow))));
        for (Vertex vertex : graph.vertices()) {
            ElkNode node = vertices.get(vertex.id());
            if (node != null) {
                svg.append(rectangle(node, color(vertex), "#666666", 4));
                svg.append(
                        format(
                                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>%n",
                                x(node) + node.getWidth() / 2,
                                y(node) + NODE_HEIGHT / 2 + 4,
                                vertex.label()));
            }
        }
        return svg.append("</svg>\n").toString();
    }

    private static String color(Vertex vertex) {
        if (vertex.label().contains("Rpc")) {
            return "#fde8c8";
        }
        return vertex.label().startsWith("AccumulateGrad") ? "#dff0d8" : "white";
    }

    private static String rectangle(ElkNode node, String fill, String stroke, int radius) {
        return format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%d\" fill=\"%s\" stroke=\"%s\"/>%n",
                x(node), y(node), node.getWidth(), node.getHeight(), radius, fill, stroke);
    }

    private static String path(ElkEdge edge, ElkEdgeSection section, Arrow arrow) {
        ElkNode container = edge.getContainingNode();
        double dx = x(container);
        double dy = y(container);
        var path =
                new StringBuilder(
                        format("M%.1f %.1f", dx + section.getStartX(), dy + section.getStartY()));
        for (ElkBendPoint bend : section.getBendPoints()) {
            path.append(format("L%.1f %.1f", dx + bend.getX(), dy + bend.getY()));
        }
        path.append(format("L%.1f %.1f", dx + section.getEndX(), dy + section.getEndY()));
        String style =
                arrow.remote()
                        ? "stroke=\"#1f5fbf\" stroke-dasharray=\"5 3\""
                        : "stroke=\"#444444\"";
        return format("<path d=\"%s\" fill=\"none\" %s marker-end=\"url(#tip)\"/>%n", path, style);
    }

    private static double x(ElkNode node) {
        return node.getParent() == null ? 0 : node.getX() + x(node.getParent());
    }

    private static double y(ElkNode node) {
        return node.getParent() == null ? 0 : node.getY() + y(node.getParent());
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for this alone
    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
