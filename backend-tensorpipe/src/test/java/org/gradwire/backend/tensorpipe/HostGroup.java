package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Workers with a token on one host, and their entries in the store. */
final class HostGroup implements AutoCloseable {
    private static final String TOKEN = "a token of the group, of some length";
    private static final Duration WAIT = Duration.ofSeconds(20);

    final MapStore store = new MapStore();
    final List<Node> nodes = new ArrayList<>();

    /** The transport is the default one, so only the encryption decides about shared memory. */
    static Map<String, String> settings(String encryption) {
        return new HashMap<>(
                Map.of(
                        "driver",
                        "embedded",
                        "host",
                        "127.0.0.1",
                        Settings.AUTHENTICATION_TOKEN,
                        TOKEN,
                        Settings.ENCRYPTION,
                        encryption));
    }

    /** {@return the same with one more setting} */
    static Map<String, String> settings(String encryption, String key, String value) {
        Map<String, String> settings = settings(encryption);
        settings.put(key, value);
        return settings;
    }

    /** Start a worker. */
    Node start(int id, Map<String, String> settings) {
        return start(id, store, settings);
    }

    /** Start a worker with another store. */
    Node start(int id, Store in, Map<String, String> settings) {
        var node = new Node(World.info(id), in, settings);
        nodes.add(node);
        node.agent.start(node);
        return node;
    }

    /** {@return the end of an attempt to connect} */
    static CompletableFuture<Void> connect(Node node, int to) {
        return CompletableFuture.runAsync(
                () -> node.agent.connect(List.of(World.info(to))),
                task -> Thread.ofVirtual().start(task));
    }

    /** Connect two workers with each other, and return the first. */
    static Node connected(Node from, Node to) throws Exception {
        var done = connect(from, to.info.id());
        connect(to, from.info.id()).get(30, TimeUnit.SECONDS);
        done.get(30, TimeUnit.SECONDS);
        return from;
    }

    static String addressKey(int id) {
        return "worker/worker" + id + "/tensorpipe/address";
    }

    String endpointKey(int id) {
        return store.keys().stream()
                .filter(key -> key.startsWith("worker/worker" + id + "/tensorpipe/endpoint/"))
                .findFirst()
                .orElseThrow();
    }

    WorkerAddress address(int id) {
        return WorkerAddress.decode(store.get(addressKey(id), WAIT));
    }

    NetworkAddress endpoint(int id) {
        return NetworkAddress.decode(store.get(endpointKey(id), WAIT));
    }

    /** Change an entry, which a member may do, before others read it. */
    void replace(String key, String text, String by) {
        String entry = new String(store.get(key, WAIT), StandardCharsets.UTF_8);
        assertTrue(entry.contains(text), entry);
        store.set(key, entry.replace(text, by).getBytes(StandardCharsets.UTF_8));
    }

    /** {@return the media of the logs to these workers, by the counters of a worker's driver} */
    Set<String> logs(Node node) {
        var media = new TreeSet<String>();
        String path = Path.of(node.text("driver.directory")).resolve("aeron").toString();
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(path))) {
            aeron.countersReader()
                    .forEach((_, label) ->
                            channels()
                                    .forEach((channel, medium) -> {
                                        if (label.contains(channel)) {
                                            media.add(medium);
                                        }
                                    }));
        }
        return media;
    }

    /** {@return streams and channels as they are in labels, each with its medium} */
    private Map<String, String> channels() {
        var channels = new HashMap<String, String>();
        for (Node node : nodes) {
            int id = node.info.id();
            channels.put(" %d aeron:ipc".formatted(address(id).ipcStream()), "ipc");
            if (!node.text("network.endpoint").equals("none")) {
                channels.put(" %d aeron:udp".formatted(endpoint(id).udpStream()), "udp");
            }
        }
        return channels;
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.agent.close());
    }
}
