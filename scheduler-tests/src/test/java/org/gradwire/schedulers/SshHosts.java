package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The hosts h1 and h2, each a network namespace with a server of {@code ssh}, and h0, which has
 * none and starts groups on the others. All have one copy of Gradwire, in a folder with a space.
 */
final class SshHosts implements AutoCloseable {
    private static final int COUNT = 3;
    private static final String SERVER = "/usr/sbin/sshd";
    private static final String PROBE = "hosts.programs/hosts.programs.Probe";

    private final Path folder;
    private final Path gradwire;
    private final Pods pods;
    private final List<Run> servers = new ArrayList<>();

    private SshHosts(Path folder, Pods pods) {
        this.folder = folder;
        this.pods = pods;
        gradwire = folder.resolve("a copy/gradwire");
    }

    static SshHosts create(Path folder) throws IOException, InterruptedException {
        var hosts = new SshHosts(folder, Pods.create(COUNT));
        try {
            hosts.pods.publish(List.of("h0", "h1", "h2"));
            hosts.copyGradwire();
            hosts.compilePrograms();
            hosts.makeKeys();
            for (int host = 1; host < COUNT; host++) {
                hosts.servers.add(hosts.startServer(host));
            }
            for (Run server : hosts.servers) {
                Run.await("server of ssh", () -> server.output().contains("Server listening"));
            }
            return hosts;
        } catch (IOException | InterruptedException | AssertionError e) {
            hosts.close();
            throw e;
        }
    }

    /** Make a folder that looks like a built Gradwire whose sources do not change. */
    private void copyGradwire() throws IOException {
        Path dist = Files.createDirectories(gradwire.resolve("dist/target/dist"));
        for (String file : List.of("gradwire", "pom.xml", "jvm.args", "jvm-classpath.args")) {
            Files.copy(Project.root().resolve(file), gradwire.resolve(file));
        }
        gradwire.resolve("gradwire").toFile().setExecutable(true);
        try (Stream<Path> parts = Files.list(Project.distribution())) {
            for (Path part : parts.toList()) {
                Files.createSymbolicLink(dist.resolve(part.getFileName()), part);
            }
        }
        Files.deleteIfExists(dist.resolve(".built")); // the link
        Files.createFile(dist.resolve(".built"));
    }

    private void compilePrograms() throws IOException {
        Path source = Project.root().resolve("scheduler-tests/src/test/programs/hosts.programs");
        var messages = new StringWriter();
        var writer = new PrintWriter(messages, true);
        int status =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(
                                writer,
                                writer,
                                "-d",
                                programs().toString(),
                                source.resolve("module-info.java").toString(),
                                source.resolve("hosts/programs/Probe.java").toString());
        assertEquals(0, status, messages.toString());
    }

    private Path programs() {
        return folder.resolve("programs");
    }

    private void makeKeys() throws IOException, InterruptedException {
        for (String key : List.of("host-key", "user-key")) {
            Run.succeed(
                    folder,
                    Map.of(),
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    folder.resolve(key).toString());
        }
        String key = Files.readString(folder.resolve("host-key.pub"));
        Files.writeString(folder.resolve("known-hosts"), "h0,h1,h2 " + key);
        Files.createDirectories(Path.of("/run/sshd")); // which the server demands
    }

    private Run startServer(int host) throws IOException {
        Files.createDirectory(
                runtimeDirectory(host),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path configuration = folder.resolve("sshd-config-" + host);
        Files.writeString(
                configuration,
                """
                HostKey %1$s/host-key
                AuthorizedKeysFile %1$s/user-key.pub
                PidFile none
                UsePAM no
                StrictModes no
                PermitRootLogin prohibit-password
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                SetEnv JAVA_HOME=%2$s XDG_RUNTIME_DIR=%3$s GRADWIRE_TENSORPIPE_DIRECTORY=%1$s/driver%4$d
                """
                        .formatted(
                                folder,
                                System.getProperty("java.home"),
                                runtimeDirectory(host),
                                host));
        return pods.run(
                folder,
                host,
                Map.of(),
                List.of(SERVER, "-D", "-e", "-f", configuration.toString()));
    }

    private Path runtimeDirectory(int host) {
        return folder.resolve("runtime" + host);
    }

    /** Start {@code gradwire hosts} on h0. */
    Run hosts(String... arguments) throws IOException {
        String ssh =
                "ssh -F none -i %1$s/user-key -oUserKnownHostsFile=%1$s/known-hosts -oStrictHostKeyChecking=yes"
                        .formatted(folder);
        List<String> command = new ArrayList<>();
        // Standard error goes to another file.
        command.addAll(List.of("sh", "-c", "exec \"$@\" 2>errors", "head"));
        command.addAll(List.of(gradwire.resolve("gradwire").toString(), "hosts", "--ssh", ssh));
        command.addAll(List.of(arguments));
        Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));
        return pods.run(folder, 0, environment, command);
    }

    /** Start the test's program; {@code options} begin with the hosts. */
    Run probe(List<String> options, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--jvm-arg=-XX:TieredStopAtLevel=1", "-p", programs().toString()));
        all.addAll(List.of("--grace=2s", "--", PROBE));
        all.addAll(List.of(arguments));
        return hosts(all.toArray(String[]::new));
    }

    /** {@return standard error of the last command} */
    String errors() {
        try {
            return Files.readString(folder.resolve("errors"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the processes on all hosts, without the servers of ssh that wait} */
    List<ProcessHandle> processes() throws IOException, InterruptedException {
        List<ProcessHandle> processes = new ArrayList<>();
        for (int host = 0; host < COUNT; host++) {
            for (long pid : pods.processes(host)) {
                ProcessHandle.of(pid).filter(handle -> !isServer(handle)).ifPresent(processes::add);
            }
        }
        return processes;
    }

    private boolean isServer(ProcessHandle process) {
        return servers.stream().anyMatch(server -> server.isProcess(process));
    }

    /** Wait until the hosts have no process of a run, and require that no file of it is left. */
    void awaitNothingLeft() throws IOException {
        Run.await("end of all processes", this::hasNoProcess);
        for (int host = 1; host < COUNT; host++) {
            try (Stream<Path> files = Files.list(runtimeDirectory(host))) {
                assertEquals(List.of(), files.toList(), "files of h" + host);
            }
        }
    }

    private boolean hasNoProcess() {
        try {
            return processes().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        servers.forEach(Run::close);
        pods.close();
        removeLinks();
    }

    /** Remove the links to the distribution, which the removal of the folder should not follow. */
    private void removeLinks() {
        try (Stream<Path> entries = Files.walk(gradwire)) {
            for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
