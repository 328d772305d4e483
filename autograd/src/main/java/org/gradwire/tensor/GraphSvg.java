package org.gradwire.tensor;

import org.gradwire.tensor.AutogradGraph.Kind;
import org.gradwire.tensor.AutogradGraph.Vertex;
import org.gradwire.tensor.GraphLayout.Item;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;

/** Draws an {@link AutogradGraph} as SVG. */
final class GraphSvg {
    private static final int MOST_VERTICES = 2000;
    private static final double CHARACTER_WIDTH = 7.2;
    private static final double HEIGHT = 28;
    private static final double LAYER = 76;
    private static final double MARGIN = 16;
    private static final double GAP = 26;
    private static final String HEAD =
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$.0f %2$.0f" width="%1$.0f" height="%2$.0f" font-family="sans-serif" font-size="12">
            <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>
            <rect width="100%%" height="100%%" fill="white"/>
            """;

    private final AutogradGraph graph;
    private final GraphLayout layout = new GraphLayout(GAP);
    private final List<Item> items = new ArrayList<>();
    private final List<List<Item>> ways;

    private GraphSvg(AutogradGraph graph) {
        this.graph = graph;
        for (Vertex vertex : graph.vertices()) {
            items.add(layout.add(vertex.label().length() * CHARACTER_WIDTH + 2 * MARGIN));
        }
        ways =
                layout.place(
                        graph.arrows().stream()
                                .map(a -> new Item[] {items.get(a.from()), items.get(a.to())})
                                .toList());
    }

    static String draw(AutogradGraph graph) {
        if (graph.vertices().size() > MOST_VERTICES) {
            throw new IllegalStateException(
                    "a picture of %d vertices is too large, %d are the most; use toDot"
                            .formatted(graph.vertices().size(), MOST_VERTICES));
        }
        return new GraphSvg(graph).svg();
    }

    static String color(Kind kind) {
        return switch (kind) {
            case ROOT -> "#fde8c8";
            case FUNCTION -> "#ffffff";
            case LEAF -> "#dff0d8";
        };
    }

    private String svg() {
        double right =
                layout.layers().stream()
                        .flatMap(List::stream)
                        .mapToDouble(item -> item.x + item.width / 2)
                        .max()
                        .orElse(0);
        double bottom = (layout.layers().size() - 1) * LAYER + HEIGHT;
        var svg = new StringBuilder(format(HEAD, right + 4 * MARGIN, bottom + 2 * MARGIN));
        IdentityHashMap<Item, List<Integer>> starts = new IdentityHashMap<>();
        IdentityHashMap<Item, List<Integer>> ends = new IdentityHashMap<>();
        for (int i = 0; i < ways.size(); i++) {
            starts.computeIfAbsent(ways.get(i).getFirst(), _ -> new ArrayList<>()).add(i);
            ends.computeIfAbsent(ways.get(i).getLast(), _ -> new ArrayList<>()).add(i);
        }
        starts.values()
                .forEach(own -> own.sort(Comparator.comparingDouble(i -> ways.get(i).get(1).x)));
        ends.values()
                .forEach(own ->
                        own.sort(Comparator.comparingDouble(i -> ways.get(i).reversed().get(1).x)));
        for (int i = 0; i < ways.size(); i++) {
            List<Item> way = ways.get(i);
            svg.append(
                    arrow(
                            way,
                            port(way.getFirst(), starts, i),
                            port(way.getLast(), ends, i),
                            label(i)));
        }
        for (int i = 0; i < items.size(); i++) {
            svg.append(box(items.get(i), graph.vertices().get(i)));
        }
        return svg.append("</svg>\n").toString();
    }

    /** Of arrows that say the same between the same boxes, the first one has the text. */
    private String label(int arrow) {
        AutogradGraph.Arrow own = graph.arrows().get(arrow);
        return graph.arrows().indexOf(own) == arrow ? own.shape() : "";
    }

    /** Arrows leave and reach a box beside each other. */
    private static double port(Item item, IdentityHashMap<Item, List<Integer>> arrows, int arrow) {
        List<Integer> own = arrows.getOrDefault(item, List.of(arrow));
        double inner = item.width - 2 * MARGIN;
        return MARGIN + item.left() + MARGIN + inner * (own.indexOf(arrow) + 1) / (own.size() + 1);
    }

    private static String box(Item item, Vertex vertex) {
        double x = MARGIN + item.left();
        double y = top(item);
        return format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" fill=\"%s\" stroke=\"#666\"/>%n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>%n",
                x,
                y,
                item.width,
                HEIGHT,
                color(vertex.kind()),
                x + item.width / 2,
                y + HEIGHT / 2 + 4,
                escaped(vertex.label()));
    }

    private static double top(Item item) {
        return MARGIN + item.layer * LAYER;
    }

    private static String arrow(List<Item> way, double startX, double endX, String shape) {
        double x = startX;
        double y = top(way.getFirst()) + HEIGHT;
        var path = new StringBuilder(format("M%.1f %.1f", x, y));
        double labelX = 0;
        double labelY = 0;
        for (int i = 1; i < way.size(); i++) {
            boolean last = i == way.size() - 1;
            double nextX = last ? endX : MARGIN + way.get(i).x;
            double nextY = top(way.get(i));
            double middle = (y + nextY) / 2;
            path.append(
                    format(
                            "C%.1f %.1f %.1f %.1f %.1f %.1f",
                            x, middle, nextX, middle, nextX, nextY));
            if (i == 1) {
                labelX = (x + nextX) / 2;
                labelY = middle;
            }
            x = nextX;
            y = nextY;
            if (!last) {
                y += HEIGHT;
                path.append(format("L%.1f %.1f", x, y));
            }
        }
        return format(
                "<path d=\"%s\" fill=\"none\" stroke=\"#555\" marker-end=\"url(#tip)\"/>%n<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" fill=\"#35516e\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">%s</text>%n",
                path, labelX + 4, labelY + 3, escaped(shape));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for this alone
    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
