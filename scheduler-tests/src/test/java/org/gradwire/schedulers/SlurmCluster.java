package org.gradwire.schedulers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A cluster of Slurm with one node, this machine. Its daemons run as root, with all files in one
 * folder, and end with it.
 */
final class SlurmCluster implements AutoCloseable {
    private static final int KEY_BYTES = 128;

    private final Path folder;
    private final List<Run> daemons = new ArrayList<>();

    private SlurmCluster(Path folder) {
        this.folder = folder;
    }

    /** Start the daemons, and wait until the node is idle. */
    static SlurmCluster start(Path folder) throws IOException {
        var cluster = new SlurmCluster(folder);
        try {
            cluster.startDaemons();
            return cluster;
        } catch (IOException | RuntimeException | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    private void startDaemons() throws IOException {
        Path key = Files.write(folder.resolve("munge.key"), SecureRandom.getSeed(KEY_BYTES));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Files.createDirectories(folder.resolve("state"));
        Files.createDirectories(folder.resolve("spool"));
        Files.writeString(configuration(), settings());
        daemon(
                "/usr/sbin/munged",
                "--foreground",
                "--force",
                "--key-file=" + key,
                "--socket=" + socket(),
                "--pid-file=" + folder.resolve("munged.pid"),
                "--log-file=" + folder.resolve("munged.log"),
                "--seed-file=" + folder.resolve("munge.seed"));
        Run.await("socket of munged", () -> Files.exists(socket()));
        daemon("/usr/sbin/slurmctld", "-D", "-f", configuration().toString());
        daemon("/usr/sbin/slurmd", "-D", "-f", configuration().toString());
        Run.await("idle node", this::isIdle);
    }

    private void daemon(String... command) throws IOException {
        daemons.add(Run.start(folder, Map.of(), List.of(command)));
    }

    private boolean isIdle() {
        for (Run daemon : daemons) {
            if (!daemon.isAlive()) {
                throw new AssertionError("a daemon has ended: " + daemon.output());
            }
        }
        try (Run sinfo = Run.start(folder, environment(), List.of("sinfo", "-h", "-o", "%T"))) {
            return sinfo.awaitStatus() == 0 && sinfo.output().strip().equals("idle");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the variables with which the commands of Slurm find the cluster} */
    Map<String, String> environment() {
        return Map.of("SLURM_CONF", configuration().toString());
    }

    private Path configuration() {
        return folder.resolve("slurm.conf");
    }

    private Path socket() {
        return folder.resolve("munge.socket");
    }

    private String settings() throws IOException {
        String host =
                Files.readString(Path.of("/proc/sys/kernel/hostname"))
                        .strip()
                        .replaceFirst("\\..*", "");
        try (var controller = new ServerSocket(0);
                var node = new ServerSocket(0)) {
            Path template = Project.root().resolve("scheduler-tests/src/test/resources/slurm.conf");
            return Files.readString(template)
                    .formatted(
                            host, controller.getLocalPort(), node.getLocalPort(), socket(), folder);
        }
    }

    @Override
    public void close() {
        daemons.reversed().forEach(Run::close);
    }
}
