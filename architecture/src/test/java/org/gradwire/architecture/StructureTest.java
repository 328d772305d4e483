package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.architecture.TypeGraph.Edge;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;

/**
 * Limits of the number of types in a package and in a cycle. {@code packages.txt} and {@code
 * cycles.txt} list those above the limits, with ceilings that may only fall. A cycle has the name
 * of one of its types.
 *
 * <p>{@code -Dstructure.show=PREFIX} prints the cycles of the types whose names begin with it, and
 * the references to cut.
 */
class StructureTest {
    private static final int PACKAGE_LIMIT = 45;
    private static final int CYCLE_LIMIT = 8;
    private static final int SHOWN = 10;
    private static final int SHOWN_MEMBERS = 5;
    private static final Path RESOURCES = Reactor.root().resolve("architecture/src/test/resources");

    private static final List<Cycle> CYCLES = new ArrayList<>();
    private static final Map<String, Integer> PACKAGES = new TreeMap<>();

    /** A cycle of types of one module. */
    private record Cycle(TypeGraph graph, NavigableSet<String> types) {
        /** {@return the number of edges to and from a type within the cycle} */
        int degree(String type) {
            return (int)
                    graph.edges().stream()
                            .filter(edge -> edge.isWithin(types))
                            .filter(edge -> edge.from().equals(type) || edge.to().equals(type))
                            .count();
        }

        /** {@return the type of the highest degree} */
        String center() {
            return types.stream().max(Comparator.comparingInt(this::degree)).orElseThrow();
        }

        /** {@return a type of the cycle that has a ceiling, else the center} */
        String key(Ceilings ceilings) {
            return types.stream()
                    .filter(ceilings.numbers()::containsKey)
                    .findFirst()
                    .orElseGet(this::center);
        }
    }

    @BeforeAll
    static void read() {
        for (GradwireModule module : Reactor.modules()) {
            TypeGraph graph = TypeGraph.of(module.classes(), module.sourcesAndGenerated());
            graph.packageSizes().forEach((name, size) -> PACKAGES.put(name, size.intValue()));
            Cycles.of(graph.edges()).forEach(types -> CYCLES.add(new Cycle(graph, types)));
        }
        CYCLES.sort(Comparator.comparingInt((Cycle cycle) -> cycle.types().size()).reversed());
    }

    @Test
    void packagesAreWithinTheLimit() {
        assertTrue(PACKAGES.size() > SHOWN, PACKAGES.toString());
        System.out.println("types  largest packages; limit " + PACKAGE_LIMIT);
        PACKAGES.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(SHOWN)
                .forEach(e -> System.out.printf("%5d  %s%n", e.getValue(), e.getKey()));
        Map<String, Integer> above = new TreeMap<>(PACKAGES);
        above.values().removeIf(size -> size <= PACKAGE_LIMIT);
        Ceilings.read(RESOURCES.resolve("packages.txt")).check(above);
    }

    @Test
    void cyclesAreWithinTheLimit() {
        assertTrue(PACKAGES.size() > SHOWN, "no class files were read: " + PACKAGES);
        System.out.println("types  largest cycles, by a central type; limit " + CYCLE_LIMIT);
        CYCLES.stream()
                .limit(SHOWN)
                .forEach(c -> System.out.printf("%5d  %s%n", c.types().size(), c.center()));
        Ceilings ceilings = Ceilings.read(RESOURCES.resolve("cycles.txt"));
        Map<String, Integer> above = new TreeMap<>();
        CYCLES.stream()
                .filter(cycle -> cycle.types().size() > CYCLE_LIMIT)
                .forEach(cycle -> above.put(cycle.key(ceilings), cycle.types().size()));
        ceilings.check(above);
    }

    @Test
    @EnabledIfSystemProperty(named = "structure.show", matches = ".+")
    void cyclesThatAreAskedForAreShown() {
        String shown = System.getProperty("structure.show", "");
        List<Cycle> cycles =
                CYCLES.stream()
                        .filter(cycle -> cycle.types().stream().anyMatch(t -> t.startsWith(shown)))
                        .toList();
        assertTrue(!cycles.isEmpty(), "no type whose name begins with " + shown + " is in a cycle");
        cycles.forEach(StructureTest::print);
    }

    private static void print(Cycle cycle) {
        System.out.println("cycle of " + cycle.types().size() + " types, each with its degree:");
        cycle.types().stream()
                .sorted(Comparator.comparingInt(cycle::degree).reversed())
                .forEach(type -> System.out.printf("%5d  %s%n", cycle.degree(type), type));
        if (cycle.types().size() > CYCLE_LIMIT) {
            List<Edge> edges = EdgesToCut.of(cycle.graph(), cycle.types(), CYCLE_LIMIT);
            System.out.printf(
                    "cut these %d edges to leave no cycle above %d; numbers of references:%n",
                    edges.size(), CYCLE_LIMIT);
            edges.forEach(StructureTest::print);
        }
    }

    private static void print(Edge edge) {
        System.out.printf(
                "%5d  %s -> %s  %s%n",
                edge.count(),
                edge.from(),
                edge.to(),
                edge.members().stream().limit(SHOWN_MEMBERS).toList());
    }

    @Test
    void sizesOfModulesArePrinted() {
        System.out.println("public types, public methods, lines of src/main/java");
        long types = 0;
        for (GradwireModule module : Reactor.modules()) {
            ModuleSize size = ModuleSize.of(module);
            types += size.types();
            System.out.printf(
                    "%5d %6d %7d  %s%n", size.types(), size.methods(), size.lines(), module.name());
        }
        assertTrue(types > 0);
    }
}
