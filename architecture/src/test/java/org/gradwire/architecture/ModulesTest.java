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
 * What the modules show to one another, and that the distribution holds them.
 *
 * <p>{@code src/test/resources/modules} has a file for each module with what {@code jar
 * --describe-module} says of it. To write them anew after a wanted change, and to read the
 * difference in the commit:
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
                                        "opentelemetry",
                                        "spring-boot-starter",
                                        "device-virtual")
                                || m.name().contains(".backend."))
                .toList();
    }

    /** Benchmarks put themselves beside the distribution, and attacks run on it. */
    @Test
    void distributionBenchmarksAndTheseTestsComeAfterEverythingElse() {
        List<String> folders = Reactor.folders();
        assertTrue(modules().size() >= 2, folders.toString());
        assertEquals(
                List.of("dist", "bench", "attack", "architecture"),
                folders.subList(folders.size() - 4, folders.size()));
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

    /** {@return what the jar tool says, without the version and the jar's place} */
    private static String describe(GradwireModule module) {
        String said = Tools.run("jar", "--describe-module", "--file", module.jar().toString());
        return said.replaceFirst("(\\S+?)@\\S* jar:\\S+", "$1").strip() + "\n";
    }

    @ParameterizedTest
    @MethodSource("providers")
    void providerExportsNothing(GradwireModule module) {
        assertEquals(Set.of(), module.descriptor().exports());
    }

    /** On the module path ServiceLoader reads the descriptor, on the class path these files. */
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
        // The launcher stands beside them; the kit, the extension of JUnit and the virtual devices
        // are for tests; the processor for the compiler; the programs and tracing have their own
        // folders; an application of Spring Boot has its own jars.
        List<String> expected =
                modules().stream()
                        .filter(module ->
                                !module.isIn(
                                        "launcher",
                                        "conformance",
                                        "device-virtual",
                                        "examples",
                                        "bench",
                                        "attack",
                                        "opentelemetry",
                                        "junit",
                                        "spring-boot-starter",
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
    void distributionHasAnArchiveOfItsClasses() {
        Path archive = Reactor.distribution().resolve("lib.jsa");
        assertTrue(Files.exists(archive), archive + "; dist/target/training.log tells why not");
    }

    @Test
    void modulesOfTheDistributionGoTogether() {
        ModuleFinder lib =
                ModuleFinder.of(
                        Reactor.distribution().resolve("lib"),
                        Reactor.distribution().resolve("opentelemetry-lib"));
        Set<String> names =
                lib.findAll().stream()
                        .map(module -> module.descriptor().name())
                        .collect(Collectors.toSet());
        ModuleFinder all = ModuleFinder.compose(lib, ModuleFinder.ofSystem());
        // Fails on a module that is missing or there twice, and on a package in two of them.
        Configuration resolved = Configuration.empty().resolve(all, ModuleFinder.of(), names);
        assertTrue(names.contains("org.gradwire.api"), names.toString());
        assertTrue(names.contains("org.gradwire.opentelemetry"), names.toString());
        assertTrue(names.stream().allMatch(name -> resolved.findModule(name).isPresent()));
    }
}
