package org.gradwire.spark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/** The workers' programs, compiled once, and the distribution that runs them. */
final class Programs {
    private static final Path ROOT = Path.of(System.getProperty("project.root"));
    static final Path TARGET = Path.of(System.getProperty("project.target"));
    static final Path ARROW = TARGET.resolve("arrow");
    private static final Path CLASSES = compile();

    private Programs() {}

    static String distribution() {
        return ROOT.resolve("dist/target/dist").toString();
    }

    static Path examples() {
        return ROOT.resolve("dist/target/dist/examples-lib");
    }

    /** {@return the folder with the modules of the programs} */
    static Path classes() {
        return CLASSES;
    }

    private static Path compile() {
        Path sources = ROOT.resolve("spark-tests/src/test/programs");
        Path classes = TARGET.resolve("programs");
        String path = distribution() + "/lib" + File.pathSeparator + ARROW;
        List<String> arguments =
                new ArrayList<>(List.of("-proc:none", "-d", classes.toString(), "-p", path));
        arguments.addAll(List.of("--module-source-path", sources.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString)
                    .filter(name -> name.endsWith(".java"))
                    .forEach(arguments::add);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, arguments.toArray(String[]::new));
        assertEquals(0, status, "the compiler's exit code");
        return classes;
    }
}
