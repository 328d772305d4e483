package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.config.Encryption;
import org.gradwire.backend.tensorpipe.os.HostIdentity;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.WorkerInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Network endpoints: when workers open them, and their exchange through the store. */
@Timeout(60)
class NetworkEndpointTest {
    private static final Map<String, String> HERE =
            Map.of("driver", "embedded", "host", "127.0.0.1");

    private static Map<String, String> with(String key, String value) {
        var settings = new HashMap<>(HERE);
        settings.put(key, value);
        return settings;
    }

    private static Map<String, String> elsewhere() {
        return with("transport", "udp");
    }

    private static void add(World world, Node node) {
        world.nodes.add(node);
        node.agent.start(node);
        world.connectAll();
    }

    private static void assertHasPorts(Node node) {
        String endpoint = node.text("network.endpoint");
        assertTrue(endpoint.matches("127\\.0\\.0\\.1:\\d+"), endpoint);
        assertTrue(node.figure("network.tcp-port") > 0);
    }

    private static void assertHasNoPorts(Node node) {
        assertEquals("none", node.text("network.endpoint"));
        assertEquals(0, node.figure("network.tcp-port"));
    }

    @Test
    void portsAreOpenedWhenTheFirstMemberElsewhereComes() throws Exception {
        try (var world = new World(2, HERE)) {
            world.nodes.forEach(NetworkEndpointTest::assertHasNoPorts);
            add(world, new Node(World.info(2), world.store, elsewhere()));
            world.nodes.forEach(NetworkEndpointTest::assertHasPorts);
            List<String> before =
                    world.nodes.stream().map(node -> node.text("network.endpoint")).toList();
            add(world, new Node(World.info(3), world.store, elsewhere()));
            for (Node from : world.nodes) {
                for (Node to : world.nodes) {
                    get(from.call(to.info.id(), World.request(new byte[1])));
                }
            }
            assertEquals(
                    before,
                    world.nodes.stream()
                            .limit(3)
                            .map(node -> node.text("network.endpoint"))
                            .toList(),
                    "each is opened once");
            assertTrue(world.node(0).text("transport.1").startsWith("ipc"));
            assertTrue(world.node(0).text("transport.2").startsWith("udp"));
            assertTrue(world.node(2).text("transport.0").startsWith("udp"));
            assertTrue(world.node(3).text("transport.2").startsWith("udp"));
        }
    }

    @Test
    void aWorkerByItselfOpensNoPortWhateverItsTransport() {
        try (var world = new World(1, elsewhere())) {
            assertHasNoPorts(world.node(0));
        }
    }

    /** Publish the address of a member under another driver, which opens no endpoint. */
    private static WorkerInfo appear(World world, ProcessIdentity process) {
        WorkerInfo info = World.info(1);
        HostIdentity host =
                WorkerAddress.decode(
                                world.store.get("worker/worker0/tensorpipe/address", Duration.ZERO))
                        .host();
        var address = new WorkerAddress(7, host, "another#1", process, false, true, 1);
        world.store.set("worker/worker1/tensorpipe/address", address.encode());
        return info;
    }

    private static String failure(Node node, WorkerInfo member) {
        return text(
                assertThrows(
                        RpcConnectionException.class, () -> node.agent.connect(List.of(member))));
    }

    @Test
    void aMemberThatOpensNoEndpointIsNamedWhenTheTimeIsUp() {
        try (var world = new World(1, with("connect-timeout", "500ms"))) {
            String text = failure(world.node(0), appear(world, ProcessIdentity.self()));
            assertTrue(text.contains("worker1 (id 1) could not be reached"), text);
            assertTrue(text.contains("has opened no network endpoint in"), text);
        }
    }

    @Test
    void aMemberThatCouldNotBeReachedRemainsLost() {
        try (var world = new World(1, with("connect-timeout", "500ms"))) {
            WorkerInfo member = appear(world, ProcessIdentity.self());
            world.store.set(
                    "worker/worker1/tensorpipe/endpoint/7",
                    new NetworkAddress(1, "127.0.0.1:9", 0, Encryption.NONE, null).encode());
            String text = failure(world.node(0), member);
            assertTrue(text.contains("worker1 (id 1) could not be reached in 500 ms"), text);
            assertEquals(text, failure(world.node(0), member), "when it connects again");
        }
    }

    @Test
    void aMemberWhoseProcessHasEndedIsNotWaitedFor() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        ProcessIdentity ended = ProcessIdentity.ofLiving(process.pid()).orElseThrow();
        process.destroyForcibly().waitFor();
        try (var world = new World(1, HERE)) {
            String text = failure(world.node(0), appear(world, ended));
            assertTrue(text.contains("its process " + ended.pid() + " has ended"), text);
        }
    }

    @Test
    void aMemberThatLeavesIsWaitedForNoMore() throws Exception {
        try (var world = new World(1, HERE)) {
            Node node = world.node(0);
            WorkerInfo member = appear(world, ProcessIdentity.self());
            var connected =
                    CompletableFuture.runAsync(
                            () -> node.agent.connect(List.of(member)),
                            task -> Thread.ofVirtual().start(task));
            // It publishes its endpoint before it waits for the other's.
            world.store.get(
                    "worker/worker0/tensorpipe/endpoint/" + incarnation(world),
                    java.time.Duration.ofSeconds(20));
            node.agent.disconnect(1);
            var failure =
                    assertThrows(
                            ExecutionException.class, () -> connected.get(20, TimeUnit.SECONDS));
            String text = text(failure);
            assertTrue(text.contains("worker1 (id 1): it has left the group"), text);
        }
    }

    private static String incarnation(World world) {
        WorkerAddress address =
                WorkerAddress.decode(
                        world.store.get(
                                "worker/worker0/tensorpipe/address",
                                java.time.Duration.ofSeconds(1)));
        return Long.toHexString(address.incarnation());
    }
}
