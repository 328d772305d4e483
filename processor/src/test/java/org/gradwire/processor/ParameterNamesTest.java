package org.gradwire.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The resources with parameter names next to the classes. */
class ParameterNamesTest {
    private static final String FOLDER = "META-INF/gradwire/parameters";

    @TempDir Path output;

    private List<String> lines(String type) throws IOException {
        return Files.readAllLines(output.resolve(FOLDER).resolve(type));
    }

    private void compile(String source) {
        assertEquals(
                List.of(), new Compilation(output).source("jobs/Jobs.java", source).run(), source);
    }

    @Test
    void linesHaveNameDescriptorAndParameters() throws IOException {
        compile(
                """
                package jobs;
                import org.gradwire.rpc.*;
                import java.util.*;
                public class Jobs {
                    @RemoteCallable public Jobs(boolean on) {}
                    @RemoteCallable public static long f(long[][] a, int b, List<String> c) { return b; }
                    @RemoteCallable public static <T extends Comparable<T>> T g(Map.Entry<T, T> d, double e, T f) { return f; }
                    @ScriptFunction public static void h(byte i, char j, short k, float... l) {}
                    @RemoteCallable public static int none() { return 1; }
                    public static int unmarked(int a) { return a; }
                }
                """);
        assertEquals(
                List.of(
                        "<init>(Z)V on",
                        "f([[JILjava/util/List;)J a b c",
                        "g(Ljava/util/Map$Entry;DLjava/lang/Comparable;)Ljava/lang/Comparable; d e f",
                        "h(BCS[F)V i j k l"),
                lines("jobs.Jobs"));
    }

    @Test
    void encodingIsUtf8RegardlessOfTheSources() throws IOException {
        assertEquals(
                List.of(),
                new Compilation(output)
                        .options("-encoding", "US-ASCII")
                        .source(
                                "jobs/Jobs.java",
                                "package jobs; public class Jobs { @org.gradwire.rpc.RemoteCallable public static int f(int größe) { return 1; } }")
                        .run());
        assertEquals(List.of("f(I)I größe"), lines("jobs.Jobs"));
    }

    @Test
    void moduleHasAResource() throws IOException {
        assertEquals(
                List.of(),
                new Compilation(output)
                        .source(
                                "module-info.java",
                                "module my.jobs { requires transitive org.gradwire.api; exports jobs; }")
                        .source(
                                "jobs/Jobs.java",
                                "package jobs; public class Jobs { private Jobs() {} @org.gradwire.rpc.RemoteCallable public static int f(int a) { return 1; } }")
                        .run());
        assertEquals(List.of("f(I)I a"), lines("jobs.Jobs"));
    }

    @Test
    void publicMembersOfAMarkedTypeAreIncluded() throws IOException {
        compile(
                """
                package jobs;
                import org.gradwire.rpc.*;
                public class Jobs {
                    @RemoteCallable
                    public static class Inner {
                        public Inner(int size) {}
                        public int f(int a) { return a; }
                        int hidden(int a) { return a; }
                        @Builtin("aten::f") public int builtin(int a) { return a; }
                    }
                }
                """);
        assertEquals(List.of("<init>(I)V size", "f(I)I a"), lines("jobs.Jobs$Inner"));
        assertFalse(Files.exists(output.resolve(FOLDER).resolve("jobs.Jobs")));
    }

    @Test
    void nothingIsWrittenWithoutParameters() {
        compile(
                "package jobs; public class Jobs { @org.gradwire.rpc.RemoteCallable public static int f() { return 1; } }");
        assertFalse(Files.exists(output.resolve("META-INF")));
    }

    @Test
    void fileThatCannotBeWrittenIsAnError() throws IOException {
        Files.createDirectories(output.resolve("META-INF/gradwire"));
        Files.createFile(output.resolve(FOLDER)); // a file with the name of the folder
        var said =
                new Compilation(output)
                        .source(
                                "jobs/Jobs.java",
                                "package jobs; public class Jobs { @org.gradwire.rpc.RemoteCallable public static int f(int a) { return 1; } }")
                        .run();
        assertEquals(1, said.size(), said::toString);
        String message = said.getFirst().message();
        assertTrue(
                message.startsWith(
                        "the parameter names of Jobs cannot be written next to its class: "),
                message);
    }

    /** A compilation of several modules. */
    @Test
    void eachOfSeveralModulesHasItsOwnResource() throws Exception {
        Path sources = output.resolve("src");
        for (String module : List.of("one", "two")) {
            Path folder = Files.createDirectories(sources.resolve(module).resolve(module));
            Files.writeString(
                    sources.resolve(module).resolve("module-info.java"),
                    "module %s { requires org.gradwire.api; exports %s; }"
                            .formatted(module, module));
            Files.writeString(
                    folder.resolve("Jobs.java"),
                    "package %s; public class Jobs { @org.gradwire.rpc.RemoteCallable public static int f(int %s) { return 1; } }"
                            .formatted(module, "of_" + module));
        }
        var javac =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                                "-d",
                                output.toString(),
                                "--module-path",
                                Compilation.libraryPath(),
                                "--processor-path",
                                ExportsTest.classes().toString(),
                                "--module-source-path",
                                sources.toString(),
                                "--module",
                                "one,two")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(javac.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, javac.waitFor(), said);
        for (String module : List.of("one", "two")) {
            assertEquals(
                    List.of("f(I)I of_" + module),
                    Files.readAllLines(
                            output.resolve(module).resolve(FOLDER).resolve(module + ".Jobs")));
        }
    }
}
