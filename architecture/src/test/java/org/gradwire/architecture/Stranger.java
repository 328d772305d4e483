package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The machine of another developer, simulated in a folder: a project, and a local Maven repository
 * with the installed artifacts. Other libraries come from the local repository of this build, so
 * that downloads are unnecessary.
 *
 * @param folder emptied at the beginning, kept at the end
 */
record Stranger(Path folder) {
    private static final String MAVEN = System.getProperty("architecture.maven", "");
    private static final Path LIBRARIES =
            Path.of(System.getProperty("architecture.local.repository", ""));
    private static final long MOST_MINUTES = 8;
    private static final int LAST_LINES = 60;

    static Stranger at(Path folder) throws IOException {
        if (Files.exists(folder)) {
            delete(folder);
        }
        Files.createDirectories(folder);
        return new Stranger(folder);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }

    private Path repository() {
        return folder.resolve("repository");
    }

    private Path project() {
        return folder.resolve("project");
    }

    /** {@return a result of the project's build} */
    Path target(String name) {
        return project().resolve("target").resolve(name);
    }

    /** Install the artifacts of a module of this build, as {@code mvn install} does. */
    void install(Path module, String packaging) throws IOException {
        String artifact = Reactor.value(module, "artifactId");
        String version = Reactor.value(Reactor.root(), "version");
        String name = artifact + "-" + version;
        Path place = repository().resolve(Path.of("org", "gradwire", artifact, version));
        Files.createDirectories(place);
        Files.copy(module.resolve("pom.xml"), place.resolve(name + ".pom"));
        if (packaging.equals("jar")) {
            Files.copy(
                    module.resolve("target").resolve(name + ".jar"), place.resolve(name + ".jar"));
        }
    }

    /** Copy a project without its build results. */
    void copyProject(Path source) throws IOException {
        Files.walkFileTree(
                source,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes ignored)
                            throws IOException {
                        if (dir.equals(source.resolve("target"))) {
                            return FileVisitResult.SKIP_SUBTREE;
                        }
                        Files.createDirectories(project().resolve(source.relativize(dir)));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes ignored)
                            throws IOException {
                        Files.copy(file, project().resolve(source.relativize(file)));
                        return FileVisitResult.CONTINUE;
                    }
                });
        // Maven searches parent folders for the root of a project, and must not find this one.
        Files.createDirectory(project().resolve(".mvn"));
    }

    /** Run {@code mvn verify} in the project, which must succeed. */
    void mavenVerify(List<String> arguments) throws IOException, InterruptedException {
        Path settings = Files.writeString(folder.resolve("settings.xml"), settings());
        Path log = folder.resolve("build.log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(MAVEN, "bin", "mvn").toString());
        command.addAll(List.of("--batch-mode", "--no-transfer-progress"));
        // Global settings: those of the user may have a required proxy.
        command.addAll(List.of("--global-settings", settings.toString()));
        command.add("-Dmaven.repo.local=" + repository());
        command.addAll(arguments);
        command.add("verify");
        var builder = new ProcessBuilder(command).directory(project().toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        Process maven = builder.start();
        try {
            boolean ended = maven.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
            assertEquals(
                    "ended with 0", ended ? "ended with " + maven.exitValue() : "hangs", last(log));
        } finally {
            maven.descendants().forEach(ProcessHandle::destroyForcibly);
            maven.destroyForcibly();
        }
    }

    private static String last(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            int from = Math.max(0, lines.size() - LAST_LINES);
            return log + " ends with\n" + String.join("\n", lines.subList(from, lines.size()));
        } catch (IOException e) {
            return "cannot read " + log + ": " + e;
        }
    }

    private static String settings() {
        String repository =
                """
                <id>build</id><url>%s</url>
                <releases><checksumPolicy>ignore</checksumPolicy></releases>
                <snapshots><enabled>false</enabled></snapshots>
                """
                        .formatted(LIBRARIES.toUri());
        return """
        <settings>
          <profiles><profile>
            <id>build</id>
            <repositories><repository>%1$s</repository></repositories>
            <pluginRepositories><pluginRepository>%1$s</pluginRepository></pluginRepositories>
          </profile></profiles>
          <activeProfiles><activeProfile>build</activeProfile></activeProfiles>
        </settings>
        """
                .formatted(repository);
    }
}
