package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files of the project, and the command of a worker on the distribution. */
final class Project {
    private static final Path ROOT = Path.of(System.getProperty("schedulers.root"));
    static final String GREETING = "hello you from worker1";

    private Project() {}

    static Path root() {
        return ROOT;
    }

    static Path distribution() {
        return ROOT.resolve("dist/target/dist");
    }

    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** {@return the command line of a worker that runs the example hello} */
    static List<String> hello(String... flags) {
        return worker(List.of(flags), "org.gradwire.examples.hello.Hello");
    }

    /** {@return the command line of a worker that runs an example} */
    static List<String> worker(String program, String... arguments) {
        return worker(List.of(), program, arguments);
    }

    private static List<String> worker(List<String> flags, String program, String... arguments) {
        Path dist = distribution();
        String path = dist.resolve("lib") + File.pathSeparator + dist.resolve("examples-lib");
        return Stream.of(
                        Stream.of(java().toString(), "@" + dist.resolve("jvm.args")),
                        flags.stream(),
                        Stream.of("-XX:TieredStopAtLevel=1", "-Xmx256m", "--module-path", path),
                        Stream.of("--module", "org.gradwire.examples/" + program),
                        Stream.of(arguments))
                .flatMap(part -> part)
                .toList();
    }

    /** {@return the command line of the launcher} */
    static List<String> launcher(String... arguments) {
        return Stream.concat(
                        Stream.of(
                                java().toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--module-path",
                                distribution().resolve("launcher").toString(),
                                "--module",
                                "org.gradwire.launcher/org.gradwire.launcher.Main"),
                        Stream.of(arguments))
                .toList();
    }

    /**
     * Skip the test unless programs are installed and the user is root; fail if the environment
     * requires them.
     */
    static void require(boolean root, String... programs) throws IOException {
        List<String> missing = Stream.of(programs).filter(name -> !isInstalled(name)).toList();
        boolean isRoot = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        if ("required".equals(System.getenv("SCHEDULERS"))) {
            assertEquals(List.of(), missing, "programs that are not installed");
            assertEquals(true, isRoot || !root, "only root can run this test");
        }
        assumeTrue(missing.isEmpty(), "not installed: " + missing);
        assumeTrue(isRoot || !root, "only root can run this test");
    }

    private static boolean isInstalled(String program) {
        return Stream.of("/usr/bin", "/usr/sbin", "/bin", "/sbin")
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
