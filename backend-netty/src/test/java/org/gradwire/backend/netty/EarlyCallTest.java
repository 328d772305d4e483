package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls to a peer whose address is known, and that is not connected yet. */
@Timeout(60)
class EarlyCallTest {
    private static World world(Map<String, String> settings) {
        return new World(Collections.nCopies(2, settings), BufferAllocator.plain());
    }

    /** A call that was taken, since worker 0 knows worker 1; until then calls fail at once. */
    private static CompletableFuture<Message> early(World world, Message request) {
        while (true) {
            CompletableFuture<Message> reply = world.node(0).call(1, request);
            if (!reply.isCompletedExceptionally()) {
                return reply;
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void waitUntilThePeerIsConnected() throws Exception {
        try (var world = world(Map.of())) {
            CompletableFuture<Void> connecting = world.connect(world.node(0), 1);
            var small = early(world, World.request(new byte[] {1}));
            var large =
                    early(
                            world,
                            World.request(new byte[] {2}, MemorySegment.ofArray(new long[99_999])));
            assertFalse(small.isDone() || large.isDone());
            world.connect(world.node(1), 0).get(20, TimeUnit.SECONDS);
            connecting.get(20, TimeUnit.SECONDS);
            assertArrayEquals(new byte[] {1}, small.get(20, TimeUnit.SECONDS).payload());
            Message reply = large.get(20, TimeUnit.SECONDS);
            assertArrayEquals(new byte[] {2}, reply.payload());
            assertEquals(8 * 99_999, reply.buffers().getFirst().byteSize());
        }
    }

    @Test
    void failAndAreReleasedWhenThePeerDoesNotCome() throws Exception {
        try (var world = world(Map.of("connect-timeout", "1s"))) {
            var released = new AtomicInteger();
            CompletableFuture<Void> connecting = world.connect(world.node(0), 1);
            var _ = early(world, World.request(new byte[] {1}));
            CompletableFuture<Message> reply =
                    world.node(0)
                            .call(
                                    1,
                                    new Message(
                                            World.REQUEST,
                                            new byte[9],
                                            List.of(),
                                            released::incrementAndGet));
            assertThrows(ExecutionException.class, () -> connecting.get(20, TimeUnit.SECONDS));
            var failure =
                    assertThrows(ExecutionException.class, () -> reply.get(20, TimeUnit.SECONDS));
            assertTrue(failure.getCause() instanceof RpcConnectionException, failure::toString);
            assertEquals(1, released.get());
            assertEquals(0, world.node(0).figure("bytes_waiting"));
        }
    }
}
