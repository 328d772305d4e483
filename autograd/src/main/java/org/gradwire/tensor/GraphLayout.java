package org.gradwire.tensor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Places the vertices of a graph without circles in layers, so that all arrows point down and few
 * cross. Arrows that pass layers are bent there. After Sugiyama's method: longest paths, orders by
 * barycenters, and places near the neighbors.
 */
final class GraphLayout {
    private static final int SWEEPS = 12;

    /** A vertex, or the point at which a long arrow passes a layer. */
    static final class Item {
        final double width;
        int layer;
        double x;
        int waitsFor;
        final List<Item> above = new ArrayList<>();
        final List<Item> below = new ArrayList<>();

        Item(double width) {
            this.width = width;
        }

        double left() {
            return x - width / 2;
        }
    }

    private final double gap;
    private final List<Item> items = new ArrayList<>();
    private final List<List<Item>> layers = new ArrayList<>();

    /**
     * Create an empty layout.
     *
     * @param gap least distance between what is in one layer
     */
    GraphLayout(double gap) {
        this.gap = gap;
    }

    Item add(double width) {
        var item = new Item(width);
        items.add(item);
        return item;
    }

    List<List<Item>> layers() {
        return layers;
    }

    /**
     * Compute the layers and places.
     *
     * @param arrows pairs of items
     * @return the way of each arrow, from its start to its end
     */
    List<List<Item>> place(List<Item[]> arrows) {
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
        layers.forEach(layer -> spread(layer, item -> item.above));
        for (int i = 0; i < SWEEPS; i++) {
            layers.reversed().forEach(layer -> spread(layer, item -> item.below));
            layers.forEach(layer -> spread(layer, item -> item.above));
        }
        double left = items.stream().mapToDouble(Item::left).min().orElse(0);
        layers.forEach(layer -> layer.forEach(item -> item.x -= left));
        return ways;
    }

    /** Put each item just below the lowest one that an arrow comes from. */
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
        items.forEach(item -> item.below.clear());
    }

    private List<Item> way(Item[] arrow) {
        List<Item> way = new ArrayList<>();
        way.add(arrow[0]);
        for (int layer = arrow[0].layer + 1; layer < arrow[1].layer; layer++) {
            var bend = new Item(0);
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

    /** Sort a layer by the mean places of neighbors, and put it side by side in this order. */
    private void order(List<Item> layer, Function<Item, List<Item>> neighbors) {
        layer.forEach(item -> item.x = mean(item, neighbors));
        layer.sort(Comparator.comparingDouble(item -> item.x)); // stable
        double at = 0;
        for (Item item : layer) {
            item.x = at + item.width / 2;
            at += item.width + gap;
        }
    }

    private static double mean(Item item, Function<Item, List<Item>> neighbors) {
        return neighbors.apply(item).stream().mapToDouble(n -> n.x).average().orElse(item.x);
    }

    /** Move each item of a layer to its neighbors, as far as those beside it leave room. */
    private void spread(List<Item> layer, Function<Item, List<Item>> neighbors) {
        int count = layer.size();
        double[] wanted = layer.stream().mapToDouble(item -> mean(item, neighbors)).toArray();
        double[] fromLeft = wanted.clone();
        for (int i = 1; i < count; i++) {
            fromLeft[i] = Math.max(wanted[i], fromLeft[i - 1] + distance(layer, i));
        }
        double[] fromRight = wanted.clone();
        for (int i = count - 2; i >= 0; i--) {
            fromRight[i] = Math.min(wanted[i], fromRight[i + 1] - distance(layer, i + 1));
        }
        Arrays.setAll(wanted, i -> (fromLeft[i] + fromRight[i]) / 2);
        for (int i = 0; i < count; i++) {
            layer.get(i).x = wanted[i];
        }
    }

    private double distance(List<Item> layer, int index) {
        return (layer.get(index - 1).width + layer.get(index).width) / 2 + gap;
    }
}
