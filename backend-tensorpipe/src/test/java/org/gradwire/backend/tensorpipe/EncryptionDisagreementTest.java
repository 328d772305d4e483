package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.failure;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.text;
import static org.gradwire.backend.tensorpipe.HostGroup.addressKey;
import static org.gradwire.backend.tensorpipe.HostGroup.connect;
import static org.gradwire.backend.tensorpipe.HostGroup.connected;
import static org.gradwire.backend.tensorpipe.HostGroup.settings;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Workers with different values of {@code gradwire.encryption}, or changed entries in the store.
 */
@Timeout(60)
class EncryptionDisagreementTest {
    private final HostGroup group = new HostGroup();

    @AfterEach
    void close() {
        group.close();
    }

    private static void assertDisagree(Node node, int peer, String there, String here) {
        String text = text(failure(RpcConfigurationException.class, connect(node, peer)));
        assertTrue(
                text.startsWith(
                        "worker%d (id %d) is refused: gradwire.encryption is %s there and %s here; set the same on all workers"
                                .formatted(peer, peer, there, here)),
                text);
    }

    /** With {@code udp} as between hosts: then neither shares memory. */
    @ParameterizedTest
    @CsvSource({
        "all, network, auto",
        "network, all, auto",
        "all, network, udp",
        "network, all, udp",
        "all, none, auto",
        "none, all, auto"
    })
    void workersWithDifferentValuesRefuseEachOther(String own, String other, String transport) {
        Node first = group.start(0, settings(own, "transport", transport));
        Node second = group.start(1, settings(other, "transport", transport));
        var ofSecond = CompletableFuture.runAsync(() -> assertDisagree(second, 0, own, other));
        assertDisagree(first, 1, other, own);
        ofSecond.join();
        assertEquals(List.of("0", "0"), List.of(first.text("peers"), second.text("peers")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"network", "all"})
    void aChangedValueIsRefusedByItsProof(String reader) throws Exception {
        String written = reader.equals("all") ? "network" : "all";
        Node first = group.start(0, settings(written, "transport", "udp"));
        Node second = group.start(1, settings(written, "transport", "udp"));
        connected(first, second);
        group.replace(group.endpointKey(1), "encryption=" + written, "encryption=" + reader);
        Node third = group.start(2, settings(reader, "transport", "udp"));
        var _ = connect(second, 2);
        String text = text(failure(RpcConfigurationException.class, connect(third, 1)));
        assertTrue(
                text.startsWith("worker1 (id 1) is refused: its authentication token differs, or"),
                text);
    }

    @Test
    void anAddressThatClaimsSharedMemoryDoesNotTurnItOn() throws Exception {
        Node first = group.start(0, settings("all"));
        Node second = group.start(1, settings("all"));
        group.replace(addressKey(0), "shared-memory=false", "shared-memory=true");
        group.replace(addressKey(1), "shared-memory=false", "shared-memory=true");
        connected(first, second);
        byte[] payload = {1, 2, 3};
        assertArrayEquals(payload, get(first.call(1, World.request(payload))).payload());
        assertEquals("udp+tcp", first.text("transport.1"));
        assertEquals(Set.of("udp"), group.logs(first));
    }

    /** The changed address leads worker 1 to shared memory, where worker 0 does not answer. */
    @Test
    void aWorkerWithAllAcceptsNoPeerThroughSharedMemory() {
        Node first = group.start(0, settings("all"));
        Node second = group.start(1, settings("network", "connect-timeout", "1s"));
        group.replace(addressKey(0), "shared-memory=false", "shared-memory=true");
        String text = text(failure(RpcConnectionException.class, connect(second, 0)));
        assertTrue(text.contains("worker0 (id 0) could not be reached in 1000 ms"), text);
        assertTrue(text.contains("by shared memory (its HELLO has arrived: false"), text);
        assertEquals("0", first.text("peers"));
    }
}
