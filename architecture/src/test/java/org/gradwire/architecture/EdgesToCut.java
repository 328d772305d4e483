package org.gradwire.architecture;

import org.gradwire.architecture.TypeGraph.Edge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * A small set of references without which a cycle falls into parts within the limit.
 *
 * <p>An order of the types in which few references point backward (the heuristic of Eades, Lin and
 * Smyth, weighted by numbers of references) gives a feedback arc set; then every reference that the
 * limit allows is restored, the heaviest first.
 */
final class EdgesToCut {
    private final NavigableSet<String> cycle;
    private final List<Edge> edges;
    private final int limit;

    private EdgesToCut(TypeGraph types, NavigableSet<String> cycle, int limit) {
        this.cycle = cycle;
        this.edges = types.edges().stream().filter(edge -> edge.isWithin(cycle)).toList();
        this.limit = limit;
    }

    /** {@return the edges to cut, those of the fewest references first} */
    static List<Edge> of(TypeGraph types, NavigableSet<String> cycle, int limit) {
        return new EdgesToCut(types, cycle, limit).chosen();
    }

    private List<Edge> chosen() {
        List<String> order = order();
        List<Edge> cut = new ArrayList<>(edges);
        cut.removeIf(edge -> order.indexOf(edge.from()) < order.indexOf(edge.to()));
        cut.sort(Comparator.comparingInt(Edge::count).reversed());
        for (Edge edge : List.copyOf(cut)) {
            cut.remove(edge);
            if (largestCycleWithout(cut) > limit) {
                cut.add(edge);
            }
        }
        cut.sort(Comparator.comparingInt(Edge::count));
        return cut;
    }

    private int largestCycleWithout(List<Edge> cut) {
        List<Edge> rest = new ArrayList<>(edges);
        rest.removeAll(cut);
        return Cycles.of(rest).stream().mapToInt(NavigableSet::size).max().orElse(1);
    }

    /**
     * {@return the types in an order in which few references point from a later to an earlier one}
     */
    private List<String> order() {
        NavigableSet<String> left = new TreeSet<>(cycle);
        List<String> first = new ArrayList<>();
        Deque<String> last = new ArrayDeque<>();
        while (!left.isEmpty()) {
            String sink = best(left, type -> -outgoing(type, left));
            if (outgoing(sink, left) == 0) {
                last.push(sink);
                left.remove(sink);
            } else {
                String next = best(left, type -> outgoing(type, left) - incoming(type, left));
                first.add(next);
                left.remove(next);
            }
        }
        first.addAll(last);
        return first;
    }

    private static String best(NavigableSet<String> types, ToIntFunction<String> score) {
        return types.stream().max(Comparator.comparingInt(score)).orElseThrow();
    }

    private int outgoing(String type, NavigableSet<String> left) {
        return edges.stream()
                .filter(edge -> edge.from().equals(type) && left.contains(edge.to()))
                .mapToInt(Edge::count)
                .sum();
    }

    private int incoming(String type, NavigableSet<String> left) {
        return edges.stream()
                .filter(edge -> edge.to().equals(type) && left.contains(edge.from()))
                .mapToInt(Edge::count)
                .sum();
    }
}
