package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.channel.BulkReadMode;
import org.gradwire.backend.tensorpipe.channel.MemoryCanary;
import org.gradwire.backend.tensorpipe.channel.MemoryEndpoint;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryAcceptFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryOfferFrame;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.backend.tensorpipe.os.PeerCredentials;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker reads only the memory of the process identified by the kernel, with the worker's proof.
 */
@Timeout(60)
@NativeOnly("process_vm_readv")
class MemoryAccessTest {
    private final World world = new World(1, Map.of("driver", "embedded"));
    private final Node node = world.node(0);
    private final RawPeer peer = new RawPeer(2, 0, world.store);
    private HelloFrame hello;

    @BeforeEach
    void greet() throws Exception {
        var connected =
                CompletableFuture.runAsync(
                        () -> node.agent.connect(List.of(World.info(2))),
                        task -> Thread.ofVirtual().start(task));
        hello = peer.greet(BulkReadMode.CHUNKS);
        connected.get(20, TimeUnit.SECONDS);
        peer.await(frame -> frame.kind() == FrameHeader.MEMORY_OFFER);
    }

    @AfterEach
    void close() {
        peer.close();
        world.close();
    }

    /** Wait until the agent has processed all frames: send one more, which it rejects. */
    private void awaitTaken() {
        long before = node.figure("frames.rejected");
        peer.send(new byte[] {FrameHeader.HEARTBEAT});
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (node.figure("frames.rejected") == before) {
            assertTrue(System.nanoTime() - deadline < 0, "the frames were not taken");
            LockSupport.parkNanos(100_000);
        }
    }

    private boolean isAccepted() {
        awaitTaken();
        peer.poll();
        return peer.received.stream().anyMatch(f -> f.kind() == FrameHeader.MEMORY_ACCEPT);
    }

    @Test
    void helloAsksForAProofThatTheWorkerHasChosen() {
        assertFalse(hello.memoryProof().equals(Nonce.NONE));
    }

    @Test
    void memoryOfAPeerWithoutAProcessThatTheKernelNamesIsNotRead() {
        peer.send(new MemoryOfferFrame(new MemoryCanary().place(hello.memoryProof())));
        assertFalse(isAccepted());
    }

    @Test
    void theOwnProcessIsNotReadEvenWithTheRightProof() {
        Path path = peer.directory.memoryEndpoint(peer.incarnation);
        try (MemoryEndpoint endpoint = MemoryEndpoint.open(path)) {
            assertNotNull(endpoint);
            peer.send(new MemoryOfferFrame(new MemoryCanary().place(hello.memoryProof())));
            assertFalse(isAccepted());
        }
    }

    @Test
    void anAcceptanceIsTakenOfAnOfferOnly() {
        peer.send(new MemoryAcceptFrame());
        awaitTaken();
        assertEquals("ipc+single-copy", node.text("transport.2"), "it was offered");
    }

    @Test
    void credentialsAreThoseOfTheProcessThatListens(@TempDir Path directory) {
        Path path = directory.resolve("s");
        assertNull(PeerCredentials.of(path), "no process listens");
        try (MemoryEndpoint endpoint = MemoryEndpoint.open(path)) {
            assertNotNull(endpoint);
            PeerCredentials own = PeerCredentials.of(path);
            endpoint.closeConnections();
            assertNotNull(own);
            long pid = ProcessHandle.current().pid();
            assertEquals(new PeerCredentials((int) pid, LibC.effectiveUser()), own);
            assertFalse(own.mayBeRead(), "this process itself");
            assertTrue(new PeerCredentials((int) pid + 1, own.uid()).mayBeRead());
            assertFalse(new PeerCredentials((int) pid + 1, own.uid() + 1).mayBeRead(), "a user");
            assertFalse(new PeerCredentials(0, own.uid()).mayBeRead(), "a pid namespace");
        }
        assertNull(PeerCredentials.of(path), "it is closed");
    }
}
