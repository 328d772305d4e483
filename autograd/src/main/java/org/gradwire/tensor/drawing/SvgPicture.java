package org.gradwire.tensor.drawing;

import org.gradwire.tensor.drawing.Drawing.Arrow;
import org.gradwire.tensor.drawing.Drawing.Box;
import org.gradwire.tensor.drawing.LayeredLayout.Item;
import org.gradwire.tensor.drawing.LayeredLayout.Lane;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** Renders a {@link Drawing} as SVG: frames, then arrows, then boxes. */
final class SvgPicture {
    static final String REMOTE = "#1f5fbf";
    private static final int MOST_BOXES = 2000;
    private static final double CHARACTER_WIDTH = 7.2;
    private static final double BOLD_WIDTH = 8.4;
    private static final double HEIGHT = 28;
    private static final double LAYER = 76;
    private static final double MARGIN = 16;
    private static final double GAP = 26;
    private static final double TITLE = 28;
    private static final String HEAD =
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$.0f %2$.0f" width="%1$.0f" height="%2$.0f" font-family="sans-serif" font-size="12">
            <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker>
            <marker id="remote" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#1f5fbf"/></marker></defs>
            <rect width="100%%" height="100%%" fill="white"/>
            """;

    private final Drawing drawing;
    private final List<String> places;
    private final LayeredLayout layeredLayout;
    private final List<Item> items = new ArrayList<>();
    private final List<List<Item>> ways;
    private final double left;
    private final double top;

    private SvgPicture(Drawing drawing) {
        this.drawing = drawing;
        places = drawing.boxes().stream().map(Box::place).distinct().toList();
        boolean framed = places.stream().anyMatch(place -> !place.isEmpty());
        left = framed ? 2 * MARGIN : MARGIN;
        top = framed ? 2 * MARGIN + TITLE : MARGIN;
        layeredLayout = new LayeredLayout(GAP, 4 * MARGIN);
        for (Box box : drawing.boxes()) {
            items.add(
                    layeredLayout.add(
                            box.text().length() * CHARACTER_WIDTH + 2 * MARGIN,
                            places.indexOf(box.place())));
        }
        ways =
                layeredLayout.place(
                        drawing.arrows().stream()
                                .map(a -> new Item[] {items.get(a.from()), items.get(a.to())})
                                .toList(),
                        places.stream()
                                .mapToDouble(place -> place.length() * BOLD_WIDTH)
                                .toArray());
    }

    static String draw(Drawing drawing) {
        int boxes = drawing.boxes().size();
        if (boxes > MOST_BOXES) {
            throw new IllegalStateException(
                    "a picture of %d vertices is too large, %d are the most; use toDot"
                            .formatted(boxes, MOST_BOXES));
        }
        return new SvgPicture(drawing).svg();
    }

    private String svg() {
        double right =
                layeredLayout.layers().stream()
                        .flatMap(List::stream)
                        .mapToDouble(Item::right)
                        .max()
                        .orElse(0);
        double bottom = (layeredLayout.layers().size() - 1) * LAYER + HEIGHT;
        var svg =
                new StringBuilder(
                        format(HEAD, right + left + 3 * MARGIN, bottom + top + 2 * MARGIN));
        var titles = new StringBuilder();
        for (int place = 0; place < places.size(); place++) {
            if (!places.get(place).isEmpty()) {
                appendFrame(place, svg, titles);
            }
        }
        appendArrows(svg);
        svg.append(titles);
        for (int i = 0; i < items.size(); i++) {
            svg.append(box(items.get(i), drawing.boxes().get(i)));
        }
        return svg.append("</svg>\n").toString();
    }

    /** Add the frame around the boxes of a place; its title goes over the arrows. */
    private void appendFrame(int place, StringBuilder frames, StringBuilder titles) {
        Lane lane = layeredLayout.lanes().get(place);
        IntSummaryStatistics rows =
                items.stream()
                        .filter(item -> item.lane == place)
                        .mapToInt(item -> item.layer)
                        .summaryStatistics();
        double x = left + lane.left() - MARGIN;
        double y = top(rows.getMin()) - TITLE;
        frames.append(
                format(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"8\" fill=\"#f2f6fb\" stroke=\"#9db4cc\"/>%n",
                        x,
                        y,
                        lane.right() - lane.left() + 2 * MARGIN,
                        top(rows.getMax()) + HEIGHT + MARGIN - y));
        titles.append(
                format(
                        "<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\" fill=\"#35516e\" stroke=\"#f2f6fb\" stroke-width=\"5\" paint-order=\"stroke\">%s</text>%n",
                        x + MARGIN, y + TITLE - 9, escaped(places.get(place))));
    }

    private void appendArrows(StringBuilder svg) {
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
            Arrow arrow = drawing.arrows().get(i);
            svg.append(
                    arrow(
                            way,
                            port(way.getFirst(), starts, i),
                            port(way.getLast(), ends, i),
                            arrow.remote(),
                            // of equal labels between the same boxes, only the first is drawn
                            drawing.arrows().indexOf(arrow) == i ? arrow.text() : ""));
        }
    }

    /** Distribute the ends of arrows along the edge of a box. */
    private double port(Item item, IdentityHashMap<Item, List<Integer>> arrows, int arrow) {
        List<Integer> own = arrows.getOrDefault(item, List.of(arrow));
        double inner = item.width - 2 * MARGIN;
        return left + item.left() + MARGIN + inner * (own.indexOf(arrow) + 1) / (own.size() + 1);
    }

    private String box(Item item, Box box) {
        double x = left + item.left();
        double y = top(item.layer);
        return format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" fill=\"%s\" stroke=\"#666\"/>%n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>%n",
                x,
                y,
                item.width,
                HEIGHT,
                box.color(),
                x + item.width / 2,
                y + HEIGHT / 2 + 4,
                escaped(box.text()));
    }

    private double top(int layer) {
        return top + layer * LAYER;
    }

    private String arrow(List<Item> way, double startX, double endX, boolean remote, String text) {
        double x = startX;
        double y = top(way.getFirst().layer) + HEIGHT;
        var path = new StringBuilder(format("M%.1f %.1f", x, y));
        double labelX = 0;
        double labelY = 0;
        for (int i = 1; i < way.size(); i++) {
            boolean last = i == way.size() - 1;
            double nextX = last ? endX : left + way.get(i).x;
            double nextY = top(way.get(i).layer);
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
        String style =
                remote
                        ? "stroke=\"%s\" stroke-dasharray=\"5 3\" marker-end=\"url(#remote)\""
                                .formatted(REMOTE)
                        : "stroke=\"#555\" marker-end=\"url(#tip)\"";
        return format("<path d=\"%s\" fill=\"none\" %s/>%n", path, style)
                + (text.isEmpty() ? "" : label(text, labelX + 4, labelY + 3));
    }

    private static String label(String text, double x, double y) {
        return format(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" fill=\"#35516e\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">%s</text>%n",
                x, y, escaped(text));
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
