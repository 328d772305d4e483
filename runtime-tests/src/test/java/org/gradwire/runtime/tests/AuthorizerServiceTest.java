package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An authorizer that is a service, in a separate process, since all workers ask it. */
@Timeout(60)
class AuthorizerServiceTest {
    private static final String SERVICE = "org.gradwire.security.Authorizer";

    @TempDir private Path folder;

    @Test
    void anInstalledAuthorizerDecidesAloneAndWithAPolicy() throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(SERVICE), SquaresAreRefused.class.getName() + "\n");
        assertEquals(
                List.of(
                        "alone: add=3 square=PERMISSION_DENIED echo=text failing=PERMISSION_DENIED own=16",
                        "with a policy: add=PERMISSION_DENIED square=PERMISSION_DENIED echo=text failing=PERMISSION_DENIED own=16"),
                run());
    }

    private List<String> run() throws IOException, InterruptedException {
        Path errors = folder.resolve("errors");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--add-modules=jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("jdk.module.path") + File.pathSeparator + folder,
                                AuthorizedWorkers.class.getName())
                        .redirectError(errors.toFile())
                        .start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> printed + read(errors));
        return printed.lines().toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
