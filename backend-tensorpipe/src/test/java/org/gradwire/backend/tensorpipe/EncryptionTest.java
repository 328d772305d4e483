package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.concurrent.TimeUnit.SECONDS;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Message;
import org.gradwire.spi.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Encryption between workers that communicate over UDP and TCP. */
class EncryptionTest {
    private static final String TOKEN = "a token of the group, of some length";
    private static final int LARGE = 3 * 1024 * 1024 + 1;

    private static Map<String, String> settings(String token, Map<String, String> more) {
        var all =
                new HashMap<>(
                        Map.of("driver", "embedded", "transport", "udp", "host", "127.0.0.1"));
        all.put(Settings.AUTHENTICATION_TOKEN, token);
        all.putAll(more);
        return all;
    }

    private static World world(String token, Map<String, String> more) {
        return new World(2, settings(token, more));
    }

    private static void assertEchoes(World world) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment large = arena.allocate(LARGE);
            for (long i = 0; i < LARGE; i++) {
                large.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31));
            }
            byte[] payload = new byte[100_000];
            payload[99_999] = 7;
            Message reply = world.node(0).call(1, World.request(payload, large)).get(30, SECONDS);
            assertArrayEquals(payload, reply.payload());
            assertEquals(-1, reply.buffers().getFirst().mismatch(large));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "off"})
    void withATokenSmallAndLargeMessagesArrive(String tcp) throws Exception {
        try (World world = world(TOKEN, Map.of("tcp", tcp))) {
            assertEchoes(
                    world); // a datagram that arrives before its key is refused, and sent again
            long early = world.node(0).figure("driver.datagrams.refused");
            assertEchoes(world);
            assertEquals(tcp.equals("auto") ? "udp+tcp" : "udp", world.node(0).text("transport.1"));
            assertEquals(early, world.node(0).figure("driver.datagrams.refused"));
        }
    }

    @Test
    void withNoneOnAllWorkersMessagesArriveInPlainText() throws Exception {
        try (World world = world(TOKEN, Map.of(SettingKeys.ENCRYPTION, "none"))) {
            assertEchoes(world);
        }
    }

    @Test
    void manyKeysAreUsedUnderLoad() throws Exception {
        try (World world = world(TOKEN, Map.of("rekey-bytes", "1m", "tcp", "off"))) {
            for (int i = 0; i < 20; i++) {
                assertEchoes(world);
            }
            assertTrue(world.node(0).lost.isEmpty() && world.node(1).lost.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gradwire.encryption", Settings.AUTHENTICATION_TOKEN})
    void workersThatDisagreeRefuseEachOther(String key) {
        var store = new MapStore();
        var first = new World.Node(World.info(0), store, settings(TOKEN, Map.of()));
        String other = key.equals("gradwire.encryption") ? "none" : "another token of the group";
        var second = new World.Node(World.info(1), store, settings(TOKEN, Map.of(key, other)));
        try {
            List.of(first, second).forEach(node -> node.agent.start(node));
            var members = List.of(World.info(0), World.info(1));
            var ofSecond = new Exception[1];
            Thread thread =
                    Thread.ofVirtual()
                            .start(() ->
                                    ofSecond[0] =
                                            assertThrows(
                                                    RpcConfigurationException.class,
                                                    () -> second.agent.connect(members)));
            var refusal =
                    assertThrows(
                            RpcConfigurationException.class, () -> first.agent.connect(members));
            thread.join();
            for (Exception each : List.of(refusal, ofSecond[0])) {
                assertTrue(String.valueOf(each.getMessage()).contains(key), each::toString);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            first.agent.close();
            second.agent.close();
        }
    }
}
