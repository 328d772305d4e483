package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The instructions of the Containerfile, and the files that it copies. */
class ContainerfileTest {
    private static final Path FILE = Project.root().resolve("dist/container/Containerfile");
    private static final Set<String> INSTRUCTIONS =
            Set.of("FROM", "RUN", "COPY", "USER", "WORKDIR", "ENV", "ENTRYPOINT", "CMD");
    private static final Pattern WORDS = Pattern.compile("\"([^\"\\\\]*)\"");
    private static final Pattern EXEC_FORM =
            Pattern.compile("\\[\"[^\"\\\\]*\"(, \"[^\"\\\\]*\")*]");

    private record Instruction(String name, String text) {
        /** {@return the words of the exec form, which needs no shell} */
        List<String> words() {
            assertTrue(EXEC_FORM.matcher(text).matches(), text);
            return WORDS.matcher(text).results().map(word -> word.group(1)).toList();
        }
    }

    private static List<Instruction> instructions() throws IOException {
        return Files.readAllLines(FILE).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(" ", 2))
                .map(parts -> new Instruction(parts[0], parts[1]))
                .toList();
    }

    private static Instruction only(String name) throws IOException {
        List<Instruction> found =
                instructions().stream().filter(each -> each.name().equals(name)).toList();
        assertEquals(1, found.size(), name);
        return found.getFirst();
    }

    /**
     * {@return the files that the image copies from the distribution, by their places in the image}
     */
    private static Map<String, String> copies() throws IOException {
        Map<String, String> copies = new TreeMap<>();
        for (Instruction copy : instructions()) {
            if (copy.name().equals("COPY") && !copy.text().startsWith("--from=")) {
                List<String> words = new ArrayList<>(List.of(copy.text().split(" ")));
                String target = words.removeLast();
                words.forEach(source ->
                        copies.put(target.endsWith("/") ? target + source : target, source));
            }
        }
        return copies;
    }

    @Test
    void instructionsAreKnownAndStagesAreNamed() throws IOException {
        List<Instruction> all = instructions();
        all.forEach(each -> assertTrue(INSTRUCTIONS.contains(each.name()), each.name()));
        List<String> stages =
                all.stream()
                        .filter(each -> each.name().equals("FROM"))
                        .map(Instruction::text)
                        .toList();
        assertEquals(2, stages.size());
        assertTrue(stages.getFirst().endsWith(" AS runtime"), stages.getFirst());
        assertTrue(
                all.stream()
                        .anyMatch(
                                each -> each.text().equals("--from=runtime /opt/java /opt/java")));
        assertEquals("10001:10001", only("USER").text());
    }

    @Test
    void copiedFilesAreInTheDistribution() throws IOException {
        Map<String, String> copies = copies();
        assertEquals(
                Map.of(
                        "/opt/gradwire/jvm.args", "jvm.args",
                        "/opt/gradwire/logging.properties", "logging.properties",
                        "/opt/gradwire/lib", "lib",
                        "/opt/gradwire/programs", "examples-lib"),
                copies);
        for (String source : copies.values()) {
            Path file = Project.distribution().resolve(source);
            assertTrue(Files.exists(file), file::toString);
            if (Files.isDirectory(file)) {
                try (Stream<Path> jars = Files.list(file)) {
                    assertTrue(jars.anyMatch(jar -> jar.toString().endsWith(".jar")), source);
                }
            }
        }
    }

    /** The command names only what was copied, and its program is among the examples. */
    @Test
    void commandUsesTheCopiedFiles() throws IOException {
        List<String> words = only("ENTRYPOINT").words();
        assertEquals("/opt/java/bin/java", words.getFirst());
        List<String> named =
                words.stream()
                        .flatMap(word -> Stream.of(word.split("[=:@]")))
                        .filter(word -> word.startsWith("/opt/gradwire/"))
                        .sorted()
                        .toList();
        assertEquals(List.copyOf(new TreeMap<>(copies()).keySet()), named);
        assertEquals("--module", words.getLast());
        List<String> program = only("CMD").words();
        assertEquals(List.of(Project.hello().getLast()), program, "the example of the other tests");
    }

    /** A runtime with the modules that the first stage links runs the distribution. */
    @Test
    void linkedRuntimeHasTheModulesOfTheDistribution() throws IOException {
        List<String> words = only("RUN").words();
        assertEquals("jlink", words.getFirst());
        List<String> linked = List.of(words.get(words.indexOf("--add-modules") + 1).split(","));
        Set<String> resolved =
                java.lang.module.Configuration.empty()
                        .resolve(
                                java.lang.module.ModuleFinder.ofSystem(),
                                java.lang.module.ModuleFinder.of(),
                                linked)
                        .modules()
                        .stream()
                        .map(module -> module.name())
                        .collect(java.util.stream.Collectors.toSet());
        assertEquals(List.of(), missing(resolved));
    }

    /**
     * {@return the modules of the JDK that jars of the distribution require, and the runtime lacks}
     */
    private static List<String> missing(Set<String> resolved) throws IOException {
        List<String> missing = new ArrayList<>();
        for (String folder : List.of("lib", "examples-lib")) {
            java.lang.module.ModuleFinder.of(Project.distribution().resolve(folder))
                    .findAll()
                    .stream()
                    .flatMap(module -> module.descriptor().requires().stream())
                    .filter(required ->
                            !required.modifiers()
                                    .contains(
                                            java.lang.module.ModuleDescriptor.Requires.Modifier
                                                    .STATIC))
                    .map(java.lang.module.ModuleDescriptor.Requires::name)
                    .filter(name -> name.startsWith("java.") || name.startsWith("jdk."))
                    .filter(name -> !resolved.contains(name))
                    .forEach(missing::add);
        }
        return missing;
    }
}
