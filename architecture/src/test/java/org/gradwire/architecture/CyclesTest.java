package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.architecture.TypeGraph.Edge;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** Type graphs from class files, their cycles, and the edges to cut. */
class CyclesTest {
    private static Edge edge(String from, String to, int count) {
        return new Edge(from, to, count, new TreeSet<>());
    }

    @Test
    void componentsOfSeveralTypesAreFoundTheLargestFirst() {
        List<Edge> edges =
                List.of(
                        edge("d", "e", 1),
                        edge("e", "d", 1),
                        edge("f", "a", 1),
                        edge("a", "b", 1),
                        edge("b", "c", 1),
                        edge("b", "d", 1),
                        edge("c", "a", 1));
        assertEquals(List.of(Set.of("a", "b", "c"), Set.of("d", "e")), Cycles.of(edges));
    }

    @Test
    void lightestEdgeIsCut() {
        NavigableSet<String> types = new TreeSet<>(Set.of("a", "b", "c"));
        List<Edge> edges = List.of(edge("a", "b", 5), edge("b", "c", 5), edge("c", "a", 1));
        var graph = new TypeGraph(types, edges);
        assertEquals(List.of(edge("c", "a", 1)), EdgesToCut.of(graph, types, 1));
        assertEquals(List.of(), EdgesToCut.of(graph, types, 3));
    }

    @Test
    void referencesAreReadFromClassFiles() {
        var own =
                TypeGraph.of(
                        Reactor.build().resolve("test-classes"),
                        List.of(Reactor.root().resolve("architecture/src/test/java")));
        Edge edge =
                own.edges().stream()
                        .filter(e -> e.from().equals(CyclesTest.class.getName()))
                        .filter(e -> e.to().equals(EdgesToCut.class.getName()))
                        .findFirst()
                        .orElseThrow();
        assertEquals(Set.of("of"), edge.members());
        assertTrue(own.types().contains(StructureTest.class.getName()), own.types().toString());
        assertTrue(own.types().stream().noneMatch(name -> name.contains("$")));
        assertEquals(
                Map.of("org.gradwire.architecture", (long) own.types().size()), own.packageSizes());
    }
}
