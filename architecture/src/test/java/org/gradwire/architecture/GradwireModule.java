package org.gradwire.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A built Java module of the reactor.
 *
 * @param folder of its sources
 * @param descriptor its compiled {@code module-info}
 */
record GradwireModule(Path folder, ModuleDescriptor descriptor) {

    static GradwireModule of(Path folder) {
        Path file = folder.resolve("target/classes/module-info.class");
        try (InputStream stream = Files.newInputStream(file)) {
            return new GradwireModule(folder, ModuleDescriptor.read(stream));
        } catch (IOException e) {
            throw new AssertionError("not built: " + folder + "; run ./gradwire test", e);
        }
    }

    String name() {
        return descriptor.name();
    }

    Path classes() {
        return folder.resolve("target/classes");
    }

    /** {@return the content of {@code META-INF/services}: the providers of each service} */
    Map<String, List<String>> servicesOfTheClassPath() throws IOException {
        Path folder = classes().resolve("META-INF/services");
        Map<String, List<String>> services = new HashMap<>();
        if (Files.isDirectory(folder)) {
            try (var files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    services.put(file.getFileName().toString(), Files.readAllLines(file));
                }
            }
        }
        return services;
    }

    Path sources() {
        return folder.resolve("src/main/java");
    }

    /** {@return the folder of sources, and that of those generated from rows of operators} */
    List<Path> sourcesAndGenerated() {
        Path generated = folder.resolve("target/generated-sources/operators");
        return Files.exists(generated) ? List.of(sources(), generated) : List.of(sources());
    }

    Path jar() {
        return folder.resolve("target").resolve(jarName());
    }

    String jarName() {
        return "%s-%s.jar"
                .formatted(
                        Reactor.value(folder, "artifactId"),
                        Reactor.value(Reactor.root(), "version"));
    }

    /** {@return the packages with unqualified exports} */
    List<String> exportedPackages() {
        return descriptor.exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .sorted()
                .toList();
    }

    /** {@return whether its folder's name is one of those given} */
    boolean isIn(String... folders) {
        return List.of(folders).contains(folder.getFileName().toString());
    }

    @Override
    public String toString() {
        return name();
    }
}
