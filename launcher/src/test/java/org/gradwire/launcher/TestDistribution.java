package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Settings;

import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A distribution with the tests' programs and the launcher's jar. */
record TestDistribution(Path home) {

    /** Compile the programs into a new distribution below a folder. */
    static TestDistribution create(Path folder) throws IOException {
        Path home = Files.createDirectories(folder.resolve("dist"));
        Files.writeString(home.resolve("jvm.args"), "# none\n");
        compile("test.programs", home.resolve("lib/test.programs"));
        return new TestDistribution(home);
    }

    /** Compile one of the modules in {@code src/test/programs}. */
    static void compile(String module, Path target) throws IOException {
        Path source = Path.of(System.getProperty("launcher.programs"), module);
        List<String> args = new ArrayList<>(List.of("-d", target.toString()));
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (file.toString().endsWith(".java")) {
                    args.add(file.toString());
                } else {
                    Path copy = target.resolve(source.relativize(file).toString());
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
        var messages = new StringWriter();
        var writer = new PrintWriter(messages, true);
        int status =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(writer, writer, args.toArray(String[]::new));
        assertEquals(0, status, messages.toString());
    }

    Path lib() {
        return home.resolve("lib");
    }

    /** {@return the command line that {@code ./gradwire} would execute} */
    List<String> command(String... args) {
        List<String> command = new ArrayList<>();
        // A background build may ignore SIGINT, and a JVM would inherit that.
        command.addAll(List.of("env", "--default-signal=INT"));
        command.add(Distribution.java().toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-Dgradwire.home=" + home);
        command.addAll(List.of("-p", modulePath()));
        command.addAll(List.of("-m", "org.gradwire.launcher/org.gradwire.launcher.Main"));
        command.addAll(List.of(args));
        return command;
    }

    private static String modulePath() {
        return Stream.of(CommandLine.class, Settings.class, RpcException.class)
                .map(TestDistribution::location)
                .collect(Collectors.joining(":", System.getProperty("launcher.jar") + ":", ""));
    }

    private static String location(Class<?> type) {
        try {
            var source = type.getProtectionDomain().getCodeSource();
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    LaunchedProcess launch(String... args) throws IOException {
        var builder = new ProcessBuilder(command(args));
        builder.environment().put("LC_ALL", "C.UTF-8"); // as ./gradwire does without a locale
        return LaunchedProcess.start(builder);
    }
}
