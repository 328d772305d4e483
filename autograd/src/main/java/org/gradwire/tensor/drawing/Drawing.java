package org.gradwire.tensor.drawing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A directed acyclic graph to draw: boxes with text, arrows from lower to upper edges, and a named
 * frame around the boxes of each group.
 *
 * @param boxes numbered by their index
 * @param arrows between them
 */
public record Drawing(List<Box> boxes, List<Arrow> arrows) {

    /**
     * A box.
     *
     * @param id unique, and a legal name in the DOT language
     * @param text in it
     * @param color it is filled with, as {@code #rrggbb}
     * @param place name of the frame it is in; empty when there is none
     */
    public record Box(String id, String text, String color, String place) {}

    /**
     * An arrow.
     *
     * @param from number of the box it leaves
     * @param to number of the box it leads to
     * @param text label, or empty
     * @param remote whether it is drawn as an arrow between groups
     */
    public record Arrow(int from, int to, String text, boolean remote) {}

    public Drawing {
        boxes = List.copyOf(boxes);
        arrows = List.copyOf(arrows);
    }

    /** {@return the graph in the DOT language of Graphviz, with a cluster for each group} */
    public String toDot() {
        var dot =
                new StringBuilder(
                        "digraph autograd {\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n");
        byPlace()
                .forEach((place, own) -> {
                    if (place.isEmpty()) {
                        own.forEach(box -> dot.append("  ").append(dot(box)));
                    } else {
                        String name = escaped(place);
                        dot.append(
                                "  subgraph \"cluster_%s\" {\n    label=\"%s\";\n"
                                        .formatted(name, name));
                        own.forEach(box -> dot.append("    ").append(dot(box)));
                        dot.append("  }\n");
                    }
                });
        arrows.forEach(arrow -> dot.append(dot(arrow)));
        return dot.append("}\n").toString();
    }

    private Map<String, List<Box>> byPlace() {
        Map<String, List<Box>> byPlace = new LinkedHashMap<>();
        boxes.forEach(box -> byPlace.computeIfAbsent(box.place, _ -> new ArrayList<>()).add(box));
        return byPlace;
    }

    private static String dot(Box box) {
        return "%s [label=\"%s\", style=\"filled,rounded\", fillcolor=\"%s\"];\n"
                .formatted(box.id, escaped(box.text), box.color);
    }

    private String dot(Arrow arrow) {
        List<String> attributes = new ArrayList<>();
        if (!arrow.text.isEmpty()) {
            attributes.add("label=\"" + escaped(arrow.text) + '"');
        }
        if (arrow.remote) {
            attributes.add("style=dashed, color=\"" + SvgPicture.REMOTE + '"');
        }
        return "  %s -> %s%s;\n"
                .formatted(
                        boxes.get(arrow.from).id,
                        boxes.get(arrow.to).id,
                        attributes.isEmpty() ? "" : " [" + String.join(", ", attributes) + "]");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    /**
     * {@return a picture of the graph}
     *
     * @throws IllegalStateException when the graph has a cycle, or more than 2000 boxes, too many
     *     to read; {@link #toDot} has no limit
     */
    public String toSvg() {
        return SvgPicture.draw(this);
    }
}
