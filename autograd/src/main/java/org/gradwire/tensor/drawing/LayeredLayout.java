package org.gradwire.tensor.drawing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Layered layout of a directed acyclic graph, in which all arrows point down and few cross. Arrows
 * through several layers are polylines. Sugiyama's method: layers by longest paths, order by
 * barycenters, and positions near the neighbors.
 *
 * <p>Each vertex is in a lane, a separate column from the top to the bottom. An arrow changes its
 * lane between two layers, where no vertices are.
 */
final class LayeredLayout {
    private static final int SWEEPS = 12;

    /** A vertex, or a dummy vertex at which a long arrow crosses a layer. */
    static final class Item {
        final double width;
        final int lane;
        int layer;
        double x;
        int waitsFor;
        final List<Item> above = new ArrayList<>();
        final List<Item> below = new ArrayList<>();

        Item(double width, int lane) {
            this.width = width;
            this.lane = lane;
        }

        double left() {
            return x - width / 2;
        }

        double right() {
            return x + width / 2;
        }
    }

    /** A column of vertices, from its left to its right edge. */
    record Lane(double left, double right) {}

    private final double gap;
    private final double laneGap;
    private final List<Item> items = new ArrayList<>();
    private final List<List<Item>> layers = new ArrayList<>();
    private final List<Lane> lanes = new ArrayList<>();
    private int count;

    /**
     * Create an empty layout.
     *
     * @param gap minimum distance between items of a layer
     * @param laneGap distance between two lanes
     */
    LayeredLayout(double gap, double laneGap) {
        this.gap = gap;
        this.laneGap = laneGap;
    }

    /** Add a vertex, whose width is more than zero. */
    Item add(double width, int lane) {
        var item = new Item(width, lane);
        items.add(item);
        count = Math.max(count, lane + 1);
        return item;
    }

    List<List<Item>> layers() {
        return layers;
    }

    List<Lane> lanes() {
        return lanes;
    }

    /**
     * Compute the layers and positions.
     *
     * @param arrows pairs of items
     * @param laneWidths least width of each lane
     * @return the path of each arrow, from its start to its end
     * @throws IllegalStateException when the arrows form a cycle
     */
    List<List<Item>> place(List<Item[]> arrows, double[] laneWidths) {
        assignLayers(arrows);
        for (Item item : items) {
            while (layers.size() <= item.layer) {
                layers.add(new ArrayList<>());
            }
            layers.get(item.layer).add(item);
        }
        List<List<Item>> ways = arrows.stream().map(this::way).toList();
        for (int i = 0; i < SWEEPS; i++) {
            layers.forEach(layer -> order(layer, item -> item.above));
            layers.reversed().forEach(layer -> order(layer, item -> item.below));
        }
        double left = 0;
        for (int lane = 0; lane < count; lane++) {
            lanes.add(placeLane(lane, left, laneWidths[lane]));
            left = lanes.getLast().right + laneGap;
        }
        return ways;
    }

    /** Assign each item to the layer below its lowest predecessor. */
    private void assignLayers(List<Item[]> arrows) {
        for (Item[] arrow : arrows) {
            arrow[0].below.add(arrow[1]);
            arrow[1].waitsFor++;
        }
        var ready = new ArrayDeque<Item>();
        items.stream().filter(item -> item.waitsFor == 0).forEach(ready::add);
        for (Item item; (item = ready.poll()) != null; ) {
            for (Item next : item.below) {
                next.layer = Math.max(next.layer, item.layer + 1);
                if (--next.waitsFor == 0) {
                    ready.add(next);
                }
            }
        }
        if (items.stream().anyMatch(item -> item.waitsFor > 0)) {
            throw new IllegalStateException(
                    "a graph with a cycle cannot be drawn; only directed acyclic graphs can");
        }
        items.forEach(item -> item.below.clear());
    }

    private List<Item> way(Item[] arrow) {
        List<Item> way = new ArrayList<>();
        way.add(arrow[0]);
        for (int layer = arrow[0].layer + 1; layer < arrow[1].layer; layer++) {
            var bend = new Item(0, arrow[1].lane);
            bend.layer = layer;
            layers.get(layer).add(bend);
            way.add(bend);
        }
        way.add(arrow[1]);
        for (int i = 1; i < way.size(); i++) {
            way.get(i - 1).below.add(way.get(i));
            way.get(i).above.add(way.get(i - 1));
        }
        return way;
    }

    /** Order a layer by lane and by the barycenters of neighbors. */
    private void order(List<Item> layer, Function<Item, List<Item>> neighbors) {
        layer.forEach(item -> item.x = mean(item, neighbors.apply(item)));
        layer.sort(
                Comparator.<Item>comparingInt(item -> item.lane)
                        .thenComparingDouble(item -> item.x)); // stable
        pack(layer);
    }

    private void pack(List<Item> layer) {
        double at = 0;
        for (Item item : layer) {
            item.x = at + item.width / 2;
            at += item.width + gap;
        }
    }

    private static double mean(Item item, List<Item> neighbors) {
        return neighbors.stream().mapToDouble(n -> n.x).average().orElse(item.x);
    }

    private Lane placeLane(int lane, double left, double leastWidth) {
        List<List<Item>> rows =
                layers.stream()
                        .map(layer -> layer.stream().filter(item -> item.lane == lane).toList())
                        .filter(row -> !row.isEmpty())
                        .toList();
        rows.forEach(this::pack);
        rows.forEach(row -> spread(row, item -> item.above));
        for (int i = 0; i < SWEEPS; i++) {
            rows.reversed().forEach(row -> spread(row, item -> item.below));
            rows.forEach(row -> spread(row, item -> item.above));
        }
        List<Item> own = rows.stream().flatMap(List::stream).toList();
        double from = own.stream().mapToDouble(Item::left).min().orElse(0);
        double to = own.stream().mapToDouble(Item::right).max().orElse(0);
        double width = Math.max(to - from, leastWidth);
        double shift = left + (width - (to - from)) / 2 - from;
        own.forEach(item -> item.x += shift);
        return new Lane(left, left + width);
    }

    /**
     * Move each item of a row toward its neighbors in the lane, as far as adjacent items leave
     * room.
     */
    private void spread(List<Item> row, Function<Item, List<Item>> neighbors) {
        int size = row.size();
        double[] wanted =
                row.stream()
                        .mapToDouble(item -> mean(item, inLane(item, neighbors.apply(item))))
                        .toArray();
        double[] fromLeft = wanted.clone();
        for (int i = 1; i < size; i++) {
            fromLeft[i] = Math.max(wanted[i], fromLeft[i - 1] + distance(row, i));
        }
        double[] fromRight = wanted.clone();
        for (int i = size - 2; i >= 0; i--) {
            fromRight[i] = Math.min(wanted[i], fromRight[i + 1] - distance(row, i + 1));
        }
        Arrays.setAll(wanted, i -> (fromLeft[i] + fromRight[i]) / 2);
        for (int i = 0; i < size; i++) {
            row.get(i).x = wanted[i];
        }
    }

    private static List<Item> inLane(Item item, List<Item> neighbors) {
        return neighbors.stream().filter(neighbor -> neighbor.lane == item.lane).toList();
    }

    private double distance(List<Item> row, int index) {
        return (row.get(index - 1).width + row.get(index).width) / 2 + gap;
    }
}
