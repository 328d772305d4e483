package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Servers of etcd for a test. Where etcd is not installed the test is skipped, unless the
 * environment variable {@code ETCD} has the value {@code required}.
 */
final class EtcdCluster implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]*)\"");

    private final List<EtcdServer> servers = new ArrayList<>();

    static EtcdCluster start(Path directory, int members) {
        Path binary = binary();
        var cluster = new EtcdCluster();
        for (int i = 0; i < members; i++) {
            cluster.servers.add(new EtcdServer("member" + i, directory));
        }
        String all =
                cluster.servers.stream().map(EtcdServer::member).collect(Collectors.joining(","));
        cluster.servers.forEach(server -> server.start(binary, all));
        try {
            await("etcd replies", cluster::isReady);
            return cluster;
        } catch (AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    static Path binary() {
        String path = System.getenv().getOrDefault("PATH", "") + ":/usr/bin:/usr/local/bin";
        return Stream.of(path.split(":"))
                .map(folder -> Path.of(folder, "etcd"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(EtcdCluster::missing);
    }

    private static Path missing() {
        String text = "etcd is not installed; on Debian: apt-get install etcd-server";
        if ("required".equals(System.getenv("ETCD"))) {
            fail(text);
        }
        return Assumptions.abort(text);
    }

    private boolean isReady() {
        return servers.stream().allMatch(EtcdServer::isReady);
    }

    EtcdServer server(int index) {
        return servers.get(index);
    }

    /** {@return the server that leads the others} */
    EtcdServer leader() throws IOException, InterruptedException {
        for (EtcdServer server : servers) {
            if (server.isAlive() && server.isLeader()) {
                return server;
            }
        }
        return fail("no member of etcd leads");
    }

    /** {@return the rendezvous of a job at all members} */
    String address(String job) {
        return servers.stream()
                .map(EtcdServer::endpoint)
                .collect(Collectors.joining(",", "etcd://", "/" + job));
    }

    /** {@return all keys in etcd with a prefix} */
    List<String> keys(String prefix) {
        for (EtcdServer server : servers) {
            try {
                String reply = server.post("kv/range", "{\"key\":\"AA==\",\"range_end\":\"AA==\"}");
                return KEY.matcher(reply)
                        .results()
                        .map(found -> text(found.group(1)))
                        .filter(key -> key.startsWith(prefix))
                        .toList();
            } catch (IOException _) {
                // it was killed or stopped
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail("interrupted", e);
            }
        }
        return fail("no member of etcd replies");
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    /** Revoke the lease of a key, as if it had expired. */
    void revokeLeaseOf(String key) {
        String reply = first("kv/range", "{\"key\":\"%s\"}".formatted(base64(key)));
        String lease = reply.replaceAll("(?s).*\"lease\":\"(\\d+)\".*", "$1");
        first("lease/revoke", "{\"ID\":\"%s\"}".formatted(lease));
    }

    /** Delete all keys with a prefix that ends with a slash. */
    void delete(String prefix) {
        String end = prefix.substring(0, prefix.length() - 1) + "0";
        first(
                "kv/deleterange",
                "{\"key\":\"%s\",\"range_end\":\"%s\"}".formatted(base64(prefix), base64(end)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** {@return the reply of the first server} */
    String first(String path, String body) {
        try {
            return servers.getFirst().post(path, body);
        } catch (IOException | InterruptedException e) {
            return fail(e);
        }
    }

    /** Wait until a worker of a static group has published its name. */
    void awaitName(String job, int rank) {
        String suffix = "/key/name/" + rank;
        await(
                "the name of rank %d of %s".formatted(rank, job),
                () -> keys(job + "/").stream().anyMatch(key -> key.endsWith(suffix)));
    }

    /** Wait until a condition holds. */
    static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                fail("did not happen in time: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public void close() {
        for (EtcdServer server : servers) {
            try {
                server.kill(); // also ends one that is stopped
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
