package org.gradwire.store.etcd.tests;

import static java.util.Objects.requireNonNull;

import org.gradwire.spi.process.FreePort;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One member of an {@link EtcdCluster}: a process of etcd on free ports of the loopback. */
final class EtcdServer {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private static final Pattern MEMBER = Pattern.compile("\"member_id\":\"(\\d+)\"");
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"(\\d+)\"");

    private final String name;
    private final Path directory;
    private final int port;
    private final int peerPort;
    private List<String> command = List.of();
    private @Nullable Process process; // null before the start

    EtcdServer(String name, Path directory) {
        this.name = name;
        this.directory = directory;
        port = FreePort.choose();
        peerPort = FreePort.choose();
    }

    /** {@return the address of clients, as in a rendezvous} */
    String endpoint() {
        return "127.0.0.1:" + port;
    }

    /** {@return the member, as in the setting of etcd} */
    String member() {
        return name + "=http://127.0.0.1:" + peerPort;
    }

    void start(Path binary, String cluster) {
        command = new ArrayList<>();
        command.add(binary.toString());
        command.addAll(List.of("--name", name, "--data-dir", directory.resolve(name).toString()));
        command.addAll(List.of("--listen-client-urls", "http://" + endpoint()));
        command.addAll(List.of("--advertise-client-urls", "http://" + endpoint()));
        command.addAll(List.of("--listen-peer-urls", "http://127.0.0.1:" + peerPort));
        command.addAll(List.of("--initial-advertise-peer-urls", "http://127.0.0.1:" + peerPort));
        command.addAll(List.of("--initial-cluster", cluster));
        command.addAll(List.of("--heartbeat-interval", "50", "--election-timeout", "500"));
        restart();
    }

    void restart() {
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve(name + ".log").toFile())
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** End the process as {@code kill -9} does. */
    void kill() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Send a signal, such as {@code STOP}. */
    void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(requireNonNull(process).pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** {@return whether the member replies, with a leader} */
    boolean isReady() {
        try {
            return post("kv/range", "{\"key\":\"AA==\"}").contains("\"header\"");
        } catch (IOException | InterruptedException _) {
            return false;
        }
    }

    boolean isLeader() throws IOException, InterruptedException {
        String status = post("maintenance/status", "{}");
        Matcher member = MEMBER.matcher(status);
        Matcher leader = LEADER.matcher(status);
        return member.find() && leader.find() && member.group(1).equals(leader.group(1));
    }

    /** {@return the reply of the JSON gateway} */
    String post(String path, String body) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create("http://" + endpoint() + "/v3/" + path))
                        .timeout(Duration.ofSeconds(5))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        return HTTP.send(request, BodyHandlers.ofString()).body();
    }
}
