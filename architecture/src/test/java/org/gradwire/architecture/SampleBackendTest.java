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
 * The sample backend as an independent project: it depends on published jars only, its own Maven
 * builds it in its own folder, and the kit tests it.
 *
 * <p>{@code mvn verify} runs the part of the kit that {@code sample.groups} in the pom names. This
 * command runs the whole kit:
 *
 * <pre>
 * ./gradwire test -Dsample.groups= -Dtest=SampleBackendTest -Dsurefire.failIfNoSpecifiedTests=false -DskipITs
 * </pre>
 */
class SampleBackendTest {
    private static final String GROUPS = System.getProperty("architecture.sample.groups", "");

    @Test
    @Timeout(600) // half a minute; three for all of the kit on a busy machine
    void independentBackendPassesTheKitWithInstalledJars() throws Exception {
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

    /** Passed, or skipped because the sample does not promise the feature. */
    private static boolean isInOrder(String line) {
        return line.contains("\"result\":\"passed\"")
                || (line.contains("\"result\":\"skipped\"")
                        && (line.contains("the backend does not declare")
                                || line.contains("the backend does not use")));
    }

    private static void assertProvidesAndExportsNothing(Path jar) throws IOException {
        String said = Tools.run("jar", "--describe-module", "--file", jar.toString());
        assertTrue(
                said.contains("provides org.gradwire.spi.BackendProvider with com.example.socket."),
                said);
        assertTrue(said.lines().noneMatch(line -> line.startsWith("exports ")), said);
    }
}
