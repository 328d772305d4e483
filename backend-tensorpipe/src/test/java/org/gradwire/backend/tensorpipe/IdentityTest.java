package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.failure;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;
import org.gradwire.backend.tensorpipe.auth.SharedSecret;
import org.gradwire.backend.tensorpipe.config.Encryption;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.os.HostIdentity;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.Settings;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Identities and tokens that peers accept or refuse. */
class IdentityTest {
    private static final Map<String, String> EMBEDDED = Map.of("driver", "embedded");

    private static Map<String, String> token(String token) {
        return Map.of("driver", "embedded", Settings.AUTHENTICATION_TOKEN, token);
    }

    /** Start two workers, connect them, and return their failures. */
    private static List<Throwable> connect(Map<String, String> first, Map<String, String> second) {
        var store = new MapStore();
        var nodes =
                List.of(
                        new Node(World.info(0), store, first),
                        new Node(World.info(1), store, second));
        List<WorkerInfo> members = List.of(World.info(0), World.info(1));
        nodes.forEach(node -> node.agent.start(node));
        List<CompletableFuture<Throwable>> ends = new ArrayList<>();
        for (Node node : nodes) {
            ends.add(
                    CompletableFuture.runAsync(
                                    () -> node.agent.connect(members),
                                    task -> Thread.ofVirtual().start(task))
                            .handle((_, thrown) -> thrown == null ? null : thrown.getCause()));
        }
        List<Throwable> thrown = new ArrayList<>();
        ends.forEach(end -> thrown.add(end.join()));
        nodes.forEach(node -> node.agent.close());
        return thrown;
    }

    @Test
    void workersWithTheSameTokenTalk() throws Exception {
        try (var world = new World(3, token("open sesame"))) {
            get(world.node(0).call(1, World.request(new byte[1])));
            get(world.node(2).call(0, World.request(new byte[1])));
        }
    }

    @RepeatedTest(10) // either may send its HELLO first
    void workersWithDifferentTokensRefuseEachOtherAndNameTheSetting() {
        for (Map<String, String> second : List.of(token("other"), EMBEDDED)) {
            List<Throwable> ends = connect(token("one"), second);
            long start = System.nanoTime();
            for (Throwable end : ends) {
                assertTrue(end instanceof RpcException, () -> String.valueOf(end));
                assertTrue(text(end).contains(Settings.AUTHENTICATION_TOKEN), () -> text(end));
            }
            assertTrue(
                    System.nanoTime() - start < Duration.ofSeconds(10).toNanos(),
                    "without a wait for the connect timeout");
        }
    }

    @Test
    void aTokenIsShownToNobody() {
        assertEquals(
                "Token(set)",
                TensorPipeOptions.read(MapSettings.with(token("secret")), "worker0")
                        .sharedSecret()
                        .toString());
    }

    @Test
    void aProofServesNoOtherPairDirectionGroupOrChallenge() {
        var one = new Authenticator.Party(1, 11);
        var two = new Authenticator.Party(2, 22);
        var authenticator = new Authenticator(new SharedSecret("t"), 5);
        var challenge = new Nonce(1, 2);
        Proof proof = authenticator.proof(one, two, challenge);
        assertTrue(authenticator.accepts(proof, one, two, challenge));
        assertEquals(proof, new Authenticator(new SharedSecret("t"), 5).proof(one, two, challenge));
        assertNotEquals(proof, authenticator.proof(two, one, challenge));
        assertNotEquals(proof, authenticator.proof(new Authenticator.Party(1, 12), two, challenge));
        assertNotEquals(proof, authenticator.proof(one, two, new Nonce(1, 3)));
        assertNotEquals(
                proof, new Authenticator(new SharedSecret("t"), 6).proof(one, two, challenge));
        assertNotEquals(
                proof, new Authenticator(new SharedSecret("u"), 5).proof(one, two, challenge));
    }

    @Test
    void aRestartedWorkerIsNotMistakenForTheOldOne() throws Exception {
        try (var world = new World(2, EMBEDDED)) {
            Node old = world.node(1);
            old.answer = World.silent();
            var pending = world.node(0).call(1, World.request(new byte[0]), 0);
            var restarted = new Node(World.info(1), world.store, EMBEDDED);
            restarted.answer = World.answering((_, _) -> World.request(new byte[] {2}));
            restarted.agent.start(restarted);
            world.nodes.set(1, restarted);
            world.connectAll();
            try {
                RpcConnectionException failure = failure(RpcConnectionException.class, pending);
                assertTrue(
                        text(failure).contains("Connection reset by peer worker1 (id 1)"),
                        text(failure));
                Message reply = get(world.node(0).call(1, World.request(new byte[0])));
                assertArrayEquals(new byte[] {2}, reply.payload());
                assertEquals(1, world.node(0).awaitLost().peer());
                // the old one is notified, and can no longer call a worker
                assertEquals(0, old.awaitLost().peer());
                failure(RpcConnectionException.class, old.call(0, World.request(new byte[0])));
            } finally {
                old.agent.close();
            }
        }
    }

    @Test
    void membersMayJoinLater() throws Exception {
        try (var world = new World(2, EMBEDDED)) {
            var third = new Node(World.info(2), world.store, EMBEDDED);
            world.nodes.add(third);
            third.agent.start(third);
            world.connectAll();
            get(world.node(0).call(2, World.request(new byte[0])));
            get(third.call(1, World.request(new byte[0])));
            get(world.node(0).call(1, World.request(new byte[0])));
        }
    }

    @Test
    void aPeerThatDoesNotAnswerIsNamedWhenTheTimeIsUp() {
        Map<String, String> impatient = Map.of("driver", "embedded", "connect-timeout", "500ms");
        var store = new MapStore();
        var node = new Node(World.info(0), store, impatient);
        var deaf = new Node(World.info(1), store, impatient);
        try {
            node.agent.start(node);
            deaf.agent.start(deaf);
            var failure =
                    assertThrows(
                            RpcConnectionException.class,
                            () -> node.agent.connect(List.of(World.info(1))));
            assertTrue(text(failure).contains("worker1 (id 1)"), text(failure));
        } finally {
            node.agent.close();
            deaf.agent.close();
        }
    }

    @Test
    void anAddressOfAnotherVersionIsRefused() {
        var store = new MapStore();
        var node = new Node(World.info(0), store, EMBEDDED);
        try {
            node.agent.start(node);
            String address =
                    new String(
                            store.get("worker/worker0/tensorpipe/address", Duration.ofSeconds(1)),
                            StandardCharsets.UTF_8);
            store.set(
                    "worker/worker1/tensorpipe/address",
                    address.replace("protocol=6", "protocol=4").getBytes(StandardCharsets.UTF_8));
            var failure =
                    assertThrows(
                            RpcConfigurationException.class,
                            () -> node.agent.connect(List.of(World.info(1))));
            assertTrue(text(failure).contains("version 6"), text(failure));
        } finally {
            node.agent.close();
        }
    }

    @Test
    void anAddressIsReadAsItWasWritten() {
        for (boolean flag : new boolean[] {true, false}) {
            var address =
                    new WorkerAddress(
                            1,
                            HostIdentity.stranger(),
                            "driver",
                            ProcessIdentity.self(),
                            flag,
                            !flag,
                            2);
            assertEquals(address, WorkerAddress.decode(address.encode()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "80x", ""})
    void anEndpointWithAWrongPortIsRefused(String port) {
        var endpoint = new NetworkAddress(3, "[::1]:40000", 40_001, Encryption.NONE, null);
        String text = new String(endpoint.encode(), StandardCharsets.UTF_8);
        NetworkAddress same = NetworkAddress.decode(text.getBytes(StandardCharsets.UTF_8));
        assertEquals(endpoint, same);
        assertEquals("::1", same.host());
        byte[] wrong =
                text.replace("tcp-port=40001", "tcp-port=" + port).getBytes(StandardCharsets.UTF_8);
        var refusal = assertThrows(DecodingException.class, () -> NetworkAddress.decode(wrong));
        assertTrue(text(refusal).contains(port), text(refusal));
    }
}
