package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.assertSame;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.patterned;
import static org.gradwire.backend.tensorpipe.HostGroup.connect;
import static org.gradwire.backend.tensorpipe.HostGroup.connected;
import static org.gradwire.backend.tensorpipe.HostGroup.settings;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.config.Encryption;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.spi.Message;
import org.gradwire.spi.PeerIdentity.Authentication;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Encryption between workers of one host: {@code gradwire.encryption=all}. */
@Timeout(120)
class HostEncryptionTest {
    private static final int LARGE = 3 * 1024 * 1024 + 4;

    private final HostGroup group = new HostGroup();

    @TempDir private Path directory;

    @AfterEach
    void close() {
        group.close();
    }

    private static void assertEchoes(Node from) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment large = patterned(arena.allocate(LARGE));
            byte[] payload = {1, 2, 3};
            Message reply = get(from.call(1, World.request(payload, large)));
            assertArrayEquals(payload, reply.payload());
            assertSame(large, reply.buffers().getFirst());
        }
    }

    /** Without one, the kernel names no process of the worker, and peers do not read its memory. */
    private static boolean hasMemoryEndpoint(Node node) throws Exception {
        try (Stream<Path> files = Files.list(Path.of(node.text("driver.directory")))) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith("memory-"));
        }
    }

    @ParameterizedTest
    @CsvSource({"auto, udp+tcp", "off, udp"})
    void workersOfOneHostSendSealedDatagramsAndShareNoMemory(String tcp, String transport)
            throws Exception {
        Node first = group.start(0, settings("all", "tcp", tcp));
        Node node = connected(first, group.start(1, settings("all", "tcp", tcp)));
        assertEchoes(node);
        assertEquals(transport, node.text("transport.1"));
        assertEquals(Set.of("udp"), group.logs(node));
        for (int id = 0; id < 2; id++) {
            NetworkAddress published = group.endpoint(id);
            assertEquals(Encryption.ALL, published.encryption());
            assertTrue(published.udpStream() < 0, "it accepts only sealed datagrams");
            assertNotNull(published.offer());
            assertFalse(group.address(id).hasSharedMemory());
        }
    }

    /** The logs that the test above must not find exist with another value. */
    @Test
    void withNetworkTheyUseSharedMemory() throws Exception {
        Node first = group.start(0, settings("network"));
        Node node = connected(first, group.start(1, settings("network")));
        assertEchoes(node);
        assertEquals("ipc", node.text("transport.1"));
        assertEquals(Set.of("ipc"), group.logs(node));
    }

    @ParameterizedTest
    @CsvSource({"all, udp+tcp", "network, ipc+single-copy"})
    @NativeOnly("process_vm_readv")
    void processesUnderOneDriverReadMemoryOfEachOtherWithNetworkOnly(
            String encryption, String transport) throws Exception {
        Map<String, String> settings = settings(encryption, "driver", "shared");
        settings.put("directory", directory.resolve("driver").toString());
        Path files = Files.createDirectory(directory.resolve("store"));
        try (Child child = child(files, settings)) {
            Node node = group.start(0, new FileStore(files), settings);
            CompletableFuture<ProcessHandle> end = driver(node).onExit();
            connect(node, 1).get(60, TimeUnit.SECONDS);
            child.await(line -> line.equals("ready"));
            assertEchoes(node);
            assertEquals(transport, node.text("transport.1"));
            assertTrue(child.figures().contains("tensorpipe.transport.0=" + transport));
            assertEquals(encryption.equals("network"), hasMemoryEndpoint(node));
            child.end();
            node.agent.close();
            end.get(30, TimeUnit.SECONDS); // until then it uses the folder, which is deleted
        }
    }

    private static Child child(Path store, Map<String, String> settings) {
        var args = new ArrayList<>(List.of(store.toString(), "1", "2"));
        settings.forEach((key, value) -> args.add(key + "=" + value));
        return new Child(ChildWorker.class, true, args.toArray(String[]::new));
    }

    private static ProcessHandle driver(Node node) {
        var of = new DriverDirectory(Path.of(node.text("driver.directory")));
        return ProcessHandle.of(of.liveDriver().orElseThrow().pid()).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"all, CERTIFICATE", "network, TOKEN"})
    void withAllACertificateProvesTheNameOfAPeerOnThisHost(String encryption, Authentication proof)
            throws Exception {
        var authority = CertificateAuthority.create(Files.createDirectory(directory.resolve("a")));
        for (int id = 0; id < 2; id++) {
            Issued issued = authority.issue("worker" + id, "spiffe://test/worker" + id);
            Map<String, String> own =
                    settings(encryption, Settings.IDENTITY, "spiffe://test/{worker}");
            own.put(Settings.CERTIFICATE, issued.certificate().toString());
            own.put(Settings.PRIVATE_KEY, issued.privateKey().toString());
            own.put(Settings.TRUST, issued.trust().toString());
            group.start(id, own);
        }
        Node node = connected(group.nodes.get(0), group.nodes.get(1));
        assertEchoes(node);
        assertEquals(proof, node.agent.identity(1).authentication());
        assertEquals(proof, group.nodes.get(1).agent.identity(0).authentication());
    }
}
