package org.gradwire.generator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Generates from rows in memory, as the build of autograd does. */
final class Compilation {
    private static final Pattern NAME = Pattern.compile("(?:class|interface|record) (\\w+)");

    private final Path output;
    private final List<JavaFileObject> sources = new ArrayList<>();

    Compilation(Path output) {
        this.output = output;
        type("tensor.operator.annotation", "@interface OperatorFamily {}");
        type("tensor.operator.annotation", "@interface JavaName { String value(); }");
        type("tensor.operator.annotation", "@interface ReturnsPair {}");
        type(
                "tensor.operator.annotation",
                """
                @java.lang.annotation.Repeatable(TensorMethod.Forms.class) @interface TensorMethod {
                    String[] value() default {};
                    @interface Forms { TensorMethod[] value(); }
                }
                """);
        type(
                "tensor.operator",
                """
                class OperatorRow {
                    static OperatorRow row(String... texts) { return new OperatorRow(); }
                }
                """);
        type(
                "tensor.operator.library",
                "record RowGroup(Class<?> family, java.util.List<String> names) {}");
        type("tensor.dispatch", "interface OperatorHandle { Object call(Object... args); }");
        type(
                "tensor.dispatch",
                "class Dispatcher { public static OperatorHandle find(String name) { return a -> a; } }");
        type("tensor", "final class Tensor implements TensorMethods {}");
        type(
                "tensor",
                """
                class ValuesAndIndices {
                    static ValuesAndIndices of(java.util.List<Tensor> two) { return new ValuesAndIndices(); }
                }
                """);
        type("rpc", "@interface Builtin { String value(); }");
    }

    /** Add a public type, of those that rows and the generated sources name. */
    private void type(String name, String declaration) {
        Matcher simple = NAME.matcher(declaration);
        assertTrue(simple.find(), declaration);
        source(
                "org/gradwire/" + name.replace('.', '/') + "/" + simple.group(1) + ".java",
                "package org.gradwire.%s;\npublic %s".formatted(name, declaration));
    }

    private void source(String name, String text) {
        sources.add(
                new SimpleJavaFileObject(
                        URI.create("memory:///" + name), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                });
    }

    /** Add a family of rows. */
    Compilation family(String name, String constants) {
        source(
                "org/gradwire/tensor/operator/" + name + ".java",
                """
                package org.gradwire.tensor.operator;
                import static org.gradwire.tensor.operator.OperatorRow.row;
                import org.gradwire.tensor.operator.annotation.*;
                @OperatorFamily
                public final class %s {
                %s
                }
                """
                        .formatted(name, constants));
        return this;
    }

    /** {@return JSpecify's annotations, from the path of the tests} */
    private static List<Path> libraries() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(property -> System.getProperty(property, ""))
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .filter(entry -> entry.contains("jspecify"))
                .map(Path::of)
                .toList();
    }

    /** {@return the messages of the compiler and the generator} */
    List<String> run() {
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        var said = new DiagnosticCollector<JavaFileObject>();
        try (var files = compiler.getStandardFileManager(said, Locale.ROOT, null)) {
            files.setLocationFromPaths(StandardLocation.SOURCE_OUTPUT, List.of(output));
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, libraries());
            List<String> options = List.of("-Xlint:all,-processing", "-Werror");
            var task = compiler.getTask(null, files, said, options, null, sources);
            task.setProcessors(List.of(new OperatorGenerator()));
            var _ = task.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return said.getDiagnostics().stream().map(each -> each.getMessage(Locale.ROOT)).toList();
    }

    /** {@return a generated source} */
    String generated(String name) {
        try {
            return Files.readString(output.resolve("org/gradwire/tensor/" + name + ".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
