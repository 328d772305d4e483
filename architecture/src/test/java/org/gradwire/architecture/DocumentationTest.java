package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Public types are documented, and the documents agree with the code. */
class DocumentationTest {
    private static final Pattern JAVA_BLOCK =
            Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern XML_BLOCK =
            Pattern.compile("^```xml\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final String SAMPLE = "conformance/samples/socket-backend";
    private static final Pattern FLAGS_BLOCK =
            Pattern.compile("^```jvm\\.args\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern FLAG =
            Pattern.compile("--(?:add-exports|add-opens|enable-native-access)" + "=[^\\s`]+");

    private static final Pattern MEASUREMENTS =
            Pattern.compile(
                    "^\\|[^|]+\\| (?:us|calls/s|B a call|GB/s both ways|GFLOP/s) \\| [\\d.,]+ \\|");

    private static List<GradwireModule> modules() {
        return Reactor.modules();
    }

    private static List<GradwireModule> exportingModules() {
        return modules().stream().filter(module -> !module.exportedPackages().isEmpty()).toList();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void moduleIsDocumented(GradwireModule module) throws IOException {
        String source = Files.readString(module.sources().resolve("module-info.java"));
        assertTrue(source.stripLeading().startsWith("/**"), source);
    }

    @ParameterizedTest
    @MethodSource("exportingModules")
    void everyPublicTypeOfAnExportedPackageIsDocumented(GradwireModule module) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String name : module.exportedPackages()) {
            String folder = name.replace('.', '/');
            Path comment = module.sources().resolve(folder).resolve("package-info.java");
            assertTrue(Files.exists(comment), "undocumented: " + name);
            for (Path root : module.sourcesAndGenerated()) {
                files.addAll(sourcesIn(root.resolve(folder)));
            }
        }
        var types = PublicType.read(files);
        assertFalse(types.isEmpty(), "no public types in " + module.exportedPackages());
        assertEquals(
                List.of(),
                types.stream().filter(type -> !type.documented()).map(PublicType::name).toList());
    }

    private static List<Path> sourcesIn(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    @Test
    void javadocOfAllLibrariesHasNoErrors() {
        // Programs export only the functions that workers call; no other project depends on them.
        List<GradwireModule> documented =
                exportingModules().stream()
                        .filter(module -> !module.isIn("examples", "bench", "attack"))
                        .toList();
        List<String> args = new ArrayList<>();
        args.addAll(List.of("-d", Reactor.build().resolve("apidocs").toString(), "-quiet"));
        args.addAll(List.of("-Xdoclint:all,-missing"));
        args.addAll(List.of("-encoding", "UTF-8"));
        for (GradwireModule module : documented) {
            args.addAll(List.of("--module-source-path", module.name() + "=" + path(module)));
        }
        args.addAll(List.of("--module-path", libraries()));
        args.add("--module");
        args.add(documented.stream().map(GradwireModule::name).collect(Collectors.joining(",")));
        assertEquals(List.of(), complaints(Tools.run("javadoc", args.toArray(String[]::new))));
        for (GradwireModule module : documented) {
            Path page =
                    Reactor.build().resolve("apidocs/" + module.name() + "/module-summary.html");
            assertTrue(Files.exists(page), page + " was not written");
        }
    }

    private static String path(GradwireModule module) {
        return module.sourcesAndGenerated().stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Like -Werror, except for one warning that no option of javadoc disables. */
    private static List<String> complaints(String said) {
        return said.lines()
                .filter(line -> !line.startsWith("warning: [incubating]"))
                .filter(line -> !line.matches("\\d+ warnings?"))
                .toList();
    }

    private static String libraries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void jvmFlagsInTheDocumentsAreThoseOfTheFile() throws IOException {
        List<String> flags = flags("jvm.args");
        List<String> onTheClassPath = flags("jvm-classpath.args");
        int blocks = 0;
        for (Path document : documents()) {
            String text = Files.readString(document);
            for (String block : find(FLAGS_BLOCK, text, 1)) {
                assertEquals(flags, block.lines().toList(), document.toString());
                blocks++;
            }
            var unknown = new TreeSet<>(find(FLAG, text, 0));
            flags.forEach(unknown::remove);
            onTheClassPath.forEach(unknown::remove);
            assertEquals(new TreeSet<String>(), unknown, document + " names flags not in jvm.args");
        }
        assertTrue(blocks > 0, "no document shows the flags in a block marked jvm.args");
    }

    private static List<String> flags(String file) throws IOException {
        return Files.readAllLines(Reactor.root().resolve(file)).stream()
                .filter(line -> line.startsWith("-"))
                .toList();
    }

    /** Compares the code in the documents with compiled and tested sources. */
    @Test
    void javaInTheDocumentsIsThatOfTheExamplesAndTheSample() throws IOException {
        List<String> sources = new ArrayList<>();
        for (String compiled :
                List.of(
                        "examples/src/main/java",
                        SAMPLE + "/src",
                        "junit/src/test/java",
                        "samples/spring-boot/src/main/java",
                        "spark-tests/src/main/java")) {
            try (Stream<Path> files = Files.walk(Reactor.root().resolve(compiled))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    sources.add(words(Files.readString(file)));
                }
            }
        }
        int blocks = 0;
        for (Path document : documents()) {
            for (String block : find(JAVA_BLOCK, Files.readString(document), 1)) {
                String shown = words(block);
                assertTrue(
                        sources.stream().anyMatch(source -> source.contains(shown)),
                        () -> "no example contains the code of " + document + ":\n" + block);
                blocks++;
            }
        }
        assertTrue(blocks > 0, "no document shows Java");
    }

    @Test
    void projectInTheGuideForBackendsIsThatOfTheSample() throws IOException {
        String pom = words(Files.readString(Reactor.root().resolve(SAMPLE + "/pom.xml")));
        String guide = Files.readString(Reactor.root().resolve("docs/writing-a-backend.md"));
        List<String> blocks = find(XML_BLOCK, guide, 1);
        assertFalse(blocks.isEmpty(), "the guide shows no part of a pom");
        blocks.forEach(block -> assertTrue(pom.contains(words(block)), block));
    }

    @Test
    void measurementsOfTheReadmeAreThoseOfThePage() throws IOException {
        List<List<String>> all = measurements("docs/performance.md");
        List<List<String>> shown = measurements("README.md");
        assertEquals(8, shown.size(), "rows of measurements in README.md");
        shown.forEach(row -> assertTrue(all.contains(row), row + " is not in docs/performance.md"));
    }

    /** {@return unit, Gradwire, PyTorch, x, gRPC, x of each row that has a unit and a number} */
    private static List<List<String>> measurements(String document) throws IOException {
        return Files.readAllLines(Reactor.root().resolve(document)).stream()
                .filter(line -> MEASUREMENTS.matcher(line).find())
                .map(line -> List.of(line.split("\\|", -1)).subList(2, 8))
                .map(cells -> cells.stream().map(String::strip).toList())
                .toList();
    }

    /** {@return the text without layout and private constructors} */
    private static String words(String text) {
        return text.replaceAll("private \\w+\\(\\) \\{\\}", "").strip().replaceAll("\\s+", " ");
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(Reactor.root().resolve("README.md")));
        Path docs = Reactor.root().resolve("docs");
        if (Files.isDirectory(docs)) {
            try (Stream<Path> files = Files.walk(docs)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        return documents;
    }

    private static List<String> find(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(group))
                .toList();
    }
}
