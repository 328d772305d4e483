package org.gradwire.architecture;

import org.gradwire.architecture.TypeGraph.Edge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Strongly connected components of a type graph, by Tarjan's algorithm. */
final class Cycles {
    private final Map<String, Set<String>> successors = new TreeMap<>();
    private final Map<String, Integer> indices = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();
    private final List<NavigableSet<String>> found = new ArrayList<>();

    private Cycles(List<Edge> edges) {
        for (Edge edge : edges) {
            successors.computeIfAbsent(edge.from(), _ -> new TreeSet<>()).add(edge.to());
        }
    }

    /** {@return the components of more than one type, the largest first} */
    static List<NavigableSet<String>> of(List<Edge> edges) {
        var cycles = new Cycles(edges);
        for (String type : cycles.successors.keySet()) {
            if (!cycles.indices.containsKey(type)) {
                cycles.visit(type);
            }
        }
        cycles.found.sort((a, b) -> Integer.compare(b.size(), a.size()));
        return cycles.found;
    }

    /** {@return the lowest index that the type reaches on the stack} */
    private int visit(String type) {
        int index = indices.size();
        indices.put(type, index);
        stack.push(type);
        int low = index;
        for (String next : successors.getOrDefault(type, Set.of())) {
            Integer known = indices.get(next);
            if (known == null) {
                low = Math.min(low, visit(next));
            } else if (stack.contains(next)) {
                low = Math.min(low, known);
            }
        }
        if (low == index) {
            pop(type);
        }
        return low;
    }

    private void pop(String root) {
        NavigableSet<String> component = new TreeSet<>();
        while (!component.contains(root)) {
            component.add(stack.pop());
        }
        if (component.size() > 1) {
            found.add(component);
        }
    }
}
