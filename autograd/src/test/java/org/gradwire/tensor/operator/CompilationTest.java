package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Results have the same bits interpreted and compiled by each compiler of the JVM. */
class CompilationTest {
    /** Functions that the Vector API computes; their last digits differ. */
    static final Set<String> REST =
            Set.of(
                    "SIN", "COS", "TAN", "ASIN", "ACOS", "ATAN", "ATAN2", "SINH", "COSH", "LOG10",
                    "POW");

    private static final int LEAST_DIGESTS = 1500;
    private static final String FIRST_RESULTS = "1";

    /** Enough for the second compiler to have compiled the loops. */
    private static final String MANY_ROUNDS = "4000";

    @TempDir private Path folder;

    @Test
    void resultsAreTheSameInterpretedAndCompiled() throws Exception {
        Map<String, String> compiled = digests("compiled", MANY_ROUNDS, "-Xbatch");
        Map<String, Map<String, String>> others = new LinkedHashMap<>();
        others.put("started", digests("started", FIRST_RESULTS));
        others.put("interpreted", digests("interpreted", FIRST_RESULTS, "-Xint"));
        others.put("first", digests("first", "200", "-XX:TieredStopAtLevel=1"));
        assertTrue(compiled.size() >= LEAST_DIGESTS, () -> "only " + compiled.size() + " digests");
        List<String> differences = new ArrayList<>();
        others.forEach((jvm, digests) -> {
            assertEquals(compiled.keySet(), digests.keySet(), jvm);
            compiled.forEach((name, digest) -> {
                if (!digest.equals(digests.get(name))) {
                    differences.add(jvm + ": " + name);
                }
            });
        });
        assertEquals(List.of(), differences);
    }

    /** {@return the digests that a JVM with such flags prints} */
    private Map<String, String> digests(String jvm, String rounds, String... flags)
            throws IOException, InterruptedException {
        String module = CompilationDigests.class.getModule().getName();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + System.getProperty("jvm.args.file"));
        command.addAll(List.of(flags));
        command.addAll(List.of("--module-path", System.getProperty("jdk.module.path")));
        command.addAll(List.of("--patch-module", module + "=" + Path.of("target", "test-classes")));
        command.addAll(
                List.of("--module", module + "/" + CompilationDigests.class.getName(), rounds));
        Path output = folder.resolve(jvm);
        Path errors = folder.resolve(jvm + ".errors");
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        try {
            assertTrue(process.waitFor(3, TimeUnit.MINUTES), () -> jvm + " does not end");
            assertEquals(0, process.exitValue(), Files.readString(errors));
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output).stream()
                .map(line -> line.split("\t"))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }
}
