package org.gradwire.processor;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles sources in memory, with the processor, and collects the compiler's messages. */
final class Compilation {
    private final Path output;
    private final List<String> options =
            new ArrayList<>(List.of("-Xlint:all,-processing", "-Werror"));
    private final List<Source> sources = new ArrayList<>();

    /** A message of the compiler at a line of a file, by its simple name. */
    record Said(String file, long line, String message) {}

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("memory:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** A compilation that writes classes into a folder. */
    Compilation(Path output) {
        this.output = output;
    }

    Compilation source(String name, String text) {
        sources.add(new Source(name, text));
        return this;
    }

    Compilation options(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    List<Said> run() {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        var said = new DiagnosticCollector<JavaFileObject>();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(said, Locale.ROOT, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
            files.setLocationFromPaths(
                    isModular() ? StandardLocation.MODULE_PATH : StandardLocation.CLASS_PATH,
                    libraries());
            var task = compiler.getTask(null, files, said, options, null, sources);
            task.setProcessors(List.of(new RemoteFunctionProcessor()));
            var _ = task.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return said.getDiagnostics().stream()
                .map(d ->
                        new Said(
                                d.getSource() == null ? "" : fileName(d.getSource()),
                                d.getLineNumber(),
                                d.getMessage(Locale.ROOT)))
                .toList();
    }

    private static String fileName(JavaFileObject source) {
        return source.toUri().getPath().replaceFirst(".*/", "");
    }

    private boolean isModular() {
        return sources.stream().anyMatch(source -> source.getName().endsWith("module-info.java"));
    }

    static String libraryPath() {
        return libraries().stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** {@return the API and its dependencies, from the class path of the tests} */
    private static List<Path> libraries() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(property -> System.getProperty(property, ""))
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .filter(entry -> entry.matches(".*[/-](api|spi|jspecify)[/-].*"))
                .map(Path::of)
                .toList();
    }
}
