package org.gradwire.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The references between the top-level types of a module, read from its class files.
 *
 * <p>A nested type counts as its top-level type. A reference is an entry of a constant pool that
 * names another type: a class, a member of one, or a descriptor or signature. Constants that the
 * compiler copies are not references. Class files without a source are excluded.
 *
 * @param types their names
 * @param edges at most one from each type to each other
 */
record TypeGraph(NavigableSet<String> types, List<Edge> edges) {
    private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([\\w/$]+)[;<]");

    /**
     * The references from one type to another.
     *
     * @param count number of references
     * @param members names of the methods and fields among them
     */
    record Edge(String from, String to, int count, NavigableSet<String> members) {
        boolean isWithin(NavigableSet<String> types) {
            return types.contains(from) && types.contains(to);
        }

        private Edge and(Edge other) {
            NavigableSet<String> all = new TreeSet<>(members);
            all.addAll(other.members);
            return new Edge(from, to, count + other.count, all);
        }
    }

    /**
     * Read a module.
     *
     * @param classes folder of its class files
     * @param sources folders of the sources whose types count
     */
    static TypeGraph of(Path classes, List<Path> sources) {
        List<ClassModel> models = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                ClassModel model = ClassFile.of().parse(file);
                if (isType(model) && sources.stream().anyMatch(in -> hasSource(model, in))) {
                    models.add(model);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        NavigableSet<String> types = new TreeSet<>();
        models.forEach(model -> types.add(topLevel(internalName(model))));
        Map<String, Edge> edges = new TreeMap<>();
        models.stream()
                .flatMap(TypeGraph::references)
                .filter(edge -> types.contains(edge.to()) && !edge.to().equals(edge.from()))
                .forEach(edge -> edges.merge(edge.from() + " " + edge.to(), edge, Edge::and));
        return new TypeGraph(types, List.copyOf(edges.values()));
    }

    private static String internalName(ClassModel model) {
        return model.thisClass().asInternalName();
    }

    private static boolean isType(ClassModel model) {
        String name = internalName(model);
        return !name.endsWith("module-info") && !name.endsWith("package-info");
    }

    private static boolean hasSource(ClassModel model, Path sources) {
        String file =
                model.findAttribute(Attributes.sourceFile())
                        .map(attribute -> attribute.sourceFile().stringValue())
                        .orElse("none");
        return Files.exists(sources.resolve(internalName(model)).resolveSibling(file));
    }

    private static String topLevel(String internalName) {
        return internalName.replaceFirst("\\$.*", "").replace('/', '.');
    }

    private static Stream<Edge> references(ClassModel model) {
        String from = topLevel(internalName(model));
        return StreamSupport.stream(model.constantPool().spliterator(), false)
                .flatMap(entry -> references(from, entry));
    }

    private static Stream<Edge> references(String from, PoolEntry entry) {
        return switch (entry) {
            case MemberRefEntry member ->
                    Stream.of(
                            edge(
                                    from,
                                    member.owner().asInternalName(),
                                    Set.of(member.name().stringValue())));
            case ClassEntry type -> Stream.of(edge(from, type.asInternalName(), Set.of()));
            case Utf8Entry text ->
                    IN_DESCRIPTOR
                            .matcher(text.stringValue())
                            .results()
                            .map(type -> edge(from, type.group(1), Set.of()));
            default -> Stream.of();
        };
    }

    private static Edge edge(String from, String internalName, Set<String> members) {
        return new Edge(from, topLevel(internalName), 1, new TreeSet<>(members));
    }

    /** {@return the numbers of top-level types by package} */
    Map<String, Long> packageSizes() {
        return types.stream()
                .collect(
                        Collectors.groupingBy(
                                type -> type.substring(0, type.lastIndexOf('.')),
                                TreeMap::new,
                                Collectors.counting()));
    }
}
