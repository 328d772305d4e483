package org.gradwire.schedulers;

import org.gradwire.spi.process.FreePort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server of etcd, as Debian's {@code etcd-server} has it, on free ports of the loopback. */
final class Etcd implements AutoCloseable {
    private static final Path BINARY = Path.of("/usr/bin/etcd");

    private final Path folder;
    private final int clients = FreePort.choose();
    private final int peers = FreePort.choose();
    private Process process;

    private Etcd(Path folder) throws IOException {
        this.folder = folder;
        process = begin();
    }

    static boolean isInstalled() {
        return Files.isExecutable(BINARY);
    }

    static Etcd start(Path folder) throws IOException {
        return new Etcd(Files.createDirectories(folder));
    }

    private Process begin() throws IOException {
        String client = "http://127.0.0.1:" + clients;
        String peer = "http://127.0.0.1:" + peers;
        var builder =
                new ProcessBuilder(
                        List.of(
                                BINARY.toString(),
                                "--data-dir=" + folder.resolve("data"),
                                "--listen-client-urls=" + client,
                                "--advertise-client-urls=" + client,
                                "--listen-peer-urls=" + peer,
                                "--initial-advertise-peer-urls=" + peer,
                                "--initial-cluster=default=" + peer));
        builder.redirectErrorStream(true);
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve("etcd.log").toFile()));
        return builder.start();
    }

    /** {@return a rendezvous of a group} */
    String rendezvous(String group) {
        return "etcd://127.0.0.1:%d/%s".formatted(clients, group);
    }

    /** End the process as {@code kill -9} does, and start it again. */
    void killAndRestart() throws IOException {
        var _ = process.destroyForcibly().onExit().join();
        process = begin();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
