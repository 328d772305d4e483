package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor.Provides;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Exports, dependencies and services of the modules, and their presence in the distribution.
 *
 * <p>{@code src/test/resources/modules} has a file for each module with the output of {@code jar
 * --describe-module}. This command rewrites the files after an intended change, so that the commit
 * shows the difference:
 *
 * <pre>
 * ./gradwire build &amp;&amp; ./gradwire test -pl architecture -Drewrite.descriptors=true
 * </pre>
 */
class ModulesTest {
    private static final Path DESCRIPTORS =
            Reactor.root().resolve("architecture/src/test/resources/modules");
    private static final boolean REWRITE = Boolean.getBoolean("architecture.rewrite.descriptors");

    private static List<GradwireModule> modules() {
        return Reactor.modules();
    }

    private static List<GradwireModule> providers() {
        return modules().stream()
                .filter(m ->
                        m.isIn(
                                        "runtime",
                                        "launcher",
                                        "processor",
                                        "operator-generator",
                                        "opentelemetry",
                                        "spring-boot-starter",
                                        "device-cuda",
                                        "device-virtual",
                                        "store-etcd",
                                        "checkpoint-s3")
                                || m.name().contains(".backend."))
                .toList();
    }

    /**
     * The benchmarks add their jars to the distribution; attacks and schedulers run on it. No
     * module waits for these tests.
     */
    @Test
    void distributionBenchmarksAndTheseTestsComeAfterEverythingElse() {
        List<String> folders = Reactor.folders();
        assertTrue(modules().size() >= 2, folders.toString());
        assertEquals(
                List.of(
                        "bench",
                        "attack",
                        "scheduler-tests",
                        "spark-tests",
                        "device-cuda-tests",
                        "architecture"),
                folders.subList(folders.size() - 6, folders.size()));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void moduleShowsWhatItsCheckedInDescriptionSays(GradwireModule module) throws IOException {
        Path expected = DESCRIPTORS.resolve(module.name() + ".txt");
        String description = describe(module);
        if (REWRITE) {
            Files.writeString(expected, description);
        }
        assertTrue(
                Files.exists(expected), () -> "no " + expected + "; see the comment of the test");
        assertEquals(Files.readString(expected), description, "see the comment of the test");
    }

    @Test
    void everyDescriptionHasItsModule() throws IOException {
        try (Stream<Path> files = Files.list(DESCRIPTORS)) {
            assertEquals(
                    modules().stream().map(module -> module.name() + ".txt").sorted().toList(),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    /** {@return the output of the jar tool, without the version and the location of the jar} */
    private static String describe(GradwireModule module) {
        String said = Tools.run("jar", "--describe-module", "--file", module.jar().toString());
        return said.replaceFirst("(\\S+?)@\\S* jar:\\S+", "$1").strip() + "\n";
    }

    @ParameterizedTest
    @MethodSource("providers")
    void providerExportsNothing(GradwireModule module) {
        assertEquals(Set.of(), module.descriptor().exports());
    }

    /** ServiceLoader reads the descriptor on the module path, and these files on the class path. */
    @ParameterizedTest
    @MethodSource("modules")
    void servicesAreTheSameOnBothPaths(GradwireModule module) throws IOException {
        Map<String, List<String>> provided =
                module.descriptor().provides().stream()
                        .collect(Collectors.toMap(Provides::service, Provides::providers));
        assertEquals(provided, module.servicesOfTheClassPath());
    }

    @Test
    void distributionHoldsEveryModuleForWorkers() throws IOException {
        // The launcher has its own folder; the kit, the extension of JUnit and the virtual devices
        // are for tests; both processors for the compiler; the programs, tracing and CUDA have
        // their own
        // folders; an application of Spring Boot has its own jars.
        List<String> expected =
                modules().stream()
                        .filter(module ->
                                !module.isIn(
                                        "launcher",
                                        "conformance",
                                        "device-virtual",
                                        "device-cuda",
                                        "examples",
                                        "bench",
                                        "attack",
                                        "opentelemetry",
                                        "junit",
                                        "spring-boot-starter",
                                        "operator-generator",
                                        "processor"))
                        .map(GradwireModule::jarName)
                        .sorted()
                        .toList();
        assertFalse(expected.isEmpty());
        try (Stream<Path> files = Files.list(Reactor.distribution().resolve("lib"))) {
            assertEquals(
                    expected,
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.startsWith("gradwire-"))
                            .sorted()
                            .toList(),
                    "dist/pom.xml names the modules of the distribution");
        }
    }

    @Test
    void distributionHasArchivesOfItsClasses() {
        for (String name : List.of("lib.jsa", "driver.aot")) {
            Path archive = Reactor.distribution().resolve(name);
            assertTrue(Files.exists(archive), archive + "; see dist/target/training.log");
        }
    }

    @Test
    void modulesOfTheDistributionResolveTogether() {
        ModuleFinder lib =
                ModuleFinder.of(
                        Reactor.distribution().resolve("lib"),
                        Reactor.distribution().resolve("opentelemetry-lib"),
                        Reactor.distribution().resolve("cuda-lib"));
        Set<String> names =
                lib.findAll().stream()
                        .map(module -> module.descriptor().name())
                        .collect(Collectors.toSet());
        ModuleFinder all = ModuleFinder.compose(lib, ModuleFinder.ofSystem());
        // Fails if a module is missing or duplicate, and if two modules contain the same package.
        Configuration resolved = Configuration.empty().resolve(all, ModuleFinder.of(), names);
        assertTrue(names.contains("org.gradwire.api"), names.toString());
        assertTrue(names.contains("org.gradwire.opentelemetry"), names.toString());
        assertTrue(names.stream().allMatch(name -> resolved.findModule(name).isPresent()));
    }
}
