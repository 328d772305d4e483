package org.gradwire.bench.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A metric at growing sizes.
 *
 * @param sizes the unit of the sizes, such as {@code workers}
 * @param points by growing size
 */
record Curve(String name, String sizes, String unit, GrowthBound bound, List<CurvePoint> points) {

    Curve {
        points = List.copyOf(points);
    }

    /** {@return whether the metric exceeds the bound between two sizes} */
    boolean isWorse() {
        return IntStream.range(1, points.size()).anyMatch(this::isWorse);
    }

    private boolean isWorse(int step) {
        return points.get(step - 1).size() > 0 && !bound.allows(sizeFactor(step), growth(step));
    }

    private double sizeFactor(int step) {
        return (double) points.get(step).size() / points.get(step - 1).size();
    }

    private double growth(int step) {
        return points.get(step).value() / points.get(step - 1).value();
    }

    /** {@return a table in Markdown: a row for each size, with the growth since the one before} */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add("%s, at most %s:".formatted(name, bound));
        lines.add("| %s | %s | growth | of the size |".formatted(sizes, unit));
        lines.add("|--:|--:|--:|--:|");
        for (int step = 0; step < points.size(); step++) {
            lines.add(row(step));
        }
        return lines;
    }

    private String row(int step) {
        CurvePoint curvePoint = points.get(step);
        String start =
                String.format(
                        Locale.ROOT, "| %,d | %s |", curvePoint.size(), number(curvePoint.value()));
        if (step == 0 || points.get(step - 1).size() == 0) {
            return start + " | |";
        }
        String growth =
                String.format(Locale.ROOT, " x %.2f | x %.2f |", growth(step), sizeFactor(step));
        return start + growth + (isWorse(step) ? " worse than " + bound : "");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.3g" : "%,.0f", value);
    }
}
