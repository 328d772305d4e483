package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The way of somebody who writes a backend and has nothing of Gradwire but its jars: the sample
 * backend, in a folder of its own, is built by a Maven of its own and proves itself by the kit.
 *
 * <p>In {@code mvn verify} it runs the part of the kit that {@code sample.groups} in the pom names;
 * all of it, by
 *
 * <pre>
 * ./gradwire test -Dsample.groups= -Dtest=SampleBackendTest -Dsurefire.failIfNoSpecifiedTests=false -DskipITs
 * </pre>
 */
class SampleBackendTest {
    private static final String GROUPS = System.getProperty("architecture.sample.groups", "");

    @Test
    @Timeout(600) // it takes half a minute, and three when all of the kit runs on a busy machine
    void aStrangersBackendIsBuiltAndProvenWithInstalledJars() throws Exception {
        Stranger stranger = Stranger.at(Reactor.build().resolve("stranger"));
        stranger.install(Reactor.root(), "pom");
        for (String folder : Reactor.folders()) {
            if (Files.exists(Reactor.root().resolve(folder).resolve("src/main/java"))) {
                stranger.install(Reactor.root().resolve(folder), "jar");
            }
        }
        stranger.copyProject(Reactor.root().resolve("conformance/samples/socket-backend"));

        stranger.mavenVerify(GROUPS.isBlank() ? List.of() : List.of("-Dgroups=" + GROUPS));

        List<String> report =
                Files.readAllLines(stranger.target("conformance-report.ndjson")).stream()
                        .filter(line -> line.contains("\"result\":"))
                        .toList();
        assertEquals(List.of(), report.stream().filter(line -> !isInOrder(line)).toList());
        for (String kind : List.of("rule", "case")) {
            long count =
                    report.stream().filter(line -> line.contains("\"kind\":\"" + kind)).count();
            assertTrue(count >= 10, () -> "%d of kind %s in %s".formatted(count, kind, report));
        }
        assertProvidesAndExportsNothing(stranger.target("socket-backend-1.0.jar"));
    }

    /** Passed, or skipped since the sample does not promise it. */
    private static boolean isInOrder(String line) {
        return line.contains("\"result\":\"passed\"")
                || (line.contains("\"result\":\"skipped\"")
                        && (line.contains("the backend does not declare")
                                || line.contains("the backend has no use for")));
    }

    private static void assertProvidesAndExportsNothing(Path jar) throws IOException {
        String said = Tools.run("jar", "--describe-module", "--file", jar.toString());
        assertTrue(
                said.contains("provides org.gradwire.spi.BackendProvider with com.example.socket."),
                said);
        assertTrue(said.lines().noneMatch(line -> line.startsWith("exports ")), said);
    }
}
