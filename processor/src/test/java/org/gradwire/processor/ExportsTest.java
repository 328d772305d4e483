package org.gradwire.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.processor.Compilation.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Exports of a program's module, and the compiler's discovery of the processor. */
class ExportsTest {
    static final String MESSAGE =
            "Jobs.f is out of reach of other workers, since module my.jobs does not export package jobs to everyone: add \"exports jobs;\" to its module-info, or remove the mark";

    private static final String SOURCE =
            """
            package jobs;

            import org.gradwire.rpc.RemoteCallable;

            public final class Jobs {
                private Jobs() {}

                @RemoteCallable
                public static int f() {
                    return 1;
                }
            }
            """;
    private static final int LINE = 9;

    @TempDir Path output;

    private static String declare(String declaration, String directives) {
        return declaration
                + " my.jobs { requires transitive org.gradwire.api; "
                + directives
                + " }";
    }

    private List<Said> compile(String declaration, String directives) {
        return new Compilation(output)
                .source("module-info.java", declare(declaration, directives))
                .source("jobs/Jobs.java", SOURCE)
                .run();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "exports jobs to java.sql;", "opens jobs to java.sql;"})
    void packageMustBeExportedToEveryone(String directives) {
        assertEquals(List.of(new Said("Jobs.java", LINE, MESSAGE)), compile("module", directives));
    }

    @ParameterizedTest
    @ValueSource(strings = {"exports jobs;", "opens jobs;"})
    void exportedOrOpenedPackageWillDo(String directives) {
        assertEquals(List.of(), compile("module", directives));
    }

    @Test
    void openModuleSuffices() {
        assertEquals(List.of(), compile("open module", ""));
    }

    /**
     * Runs the compiler as a separate process, since this JVM already has the processor's module.
     */
    @ParameterizedTest
    @ValueSource(strings = {"--processor-path", "--processor-module-path"})
    void compilerFindsTheProcessor(String option) throws Exception {
        Path source = Files.writeString(output.resolve("Jobs.java"), SOURCE);
        Path module = Files.writeString(output.resolve("module-info.java"), declare("module", ""));
        var javac =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                        "-d",
                        output.resolve("classes").toString(),
                        "--module-path",
                        Compilation.libraryPath(),
                        option,
                        classes().toString(),
                        module.toString(),
                        source.toString());
        Process process = javac.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor(), said);
        String first = said.lines().findFirst().orElseThrow();
        assertEquals("%s:%d: error: %s".formatted(source, LINE, MESSAGE), first);
    }

    static Path classes() throws URISyntaxException {
        var domain = RemoteFunctionProcessor.class.getProtectionDomain();
        return Path.of(domain.getCodeSource().getLocation().toURI());
    }
}
