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
import java.util.concurrent.locks.LockSupport;

/** Calls to a peer whose address is known and that is not connected yet. */
@Timeout(60)
class EarlyCallTest {
    private static TestGroup group(Map<String, String> settings) {
        return new TestGroup(Collections.nCopies(2, settings), BufferAllocator.plain());
    }

    /** {@return a call that was accepted: worker 0 knows worker 1; earlier calls fail} */
    private static CompletableFuture<Message> early(TestGroup group, Message request) {
        while (true) {
            CompletableFuture<Message> reply = group.node(0).call(1, request);
            if (!reply.isCompletedExceptionally()) {
                return reply;
            }
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void waitUntilThePeerIsConnected() throws Exception {
        try (var group = group(Map.of())) {
            CompletableFuture<Void> connecting = group.connect(group.node(0), 1);
            var small = early(group, TestGroup.request(new byte[] {1}));
            var large =
                    early(
                            group,
                            TestGroup.request(
                                    new byte[] {2}, MemorySegment.ofArray(new long[99_999])));
            assertFalse(small.isDone() || large.isDone());
            group.connect(group.node(1), 0).get(20, TimeUnit.SECONDS);
            connecting.get(20, TimeUnit.SECONDS);
            assertArrayEquals(new byte[] {1}, small.get(20, TimeUnit.SECONDS).payload());
            Message reply = large.get(20, TimeUnit.SECONDS);
            assertArrayEquals(new byte[] {2}, reply.payload());
            assertEquals(8 * 99_999, reply.buffers().getFirst().byteSize());
        }
    }

    @Test
    void failAndAreReleasedWhenThePeerDoesNotCome() throws Exception {
        try (var group = group(Map.of("connect-timeout", "1s"))) {
            var released = new AtomicInteger();
            CompletableFuture<Void> connecting = group.connect(group.node(0), 1);
            var _ = early(group, TestGroup.request(new byte[] {1}));
            CompletableFuture<Message> reply =
                    group.node(0)
                            .call(
                                    1,
                                    new Message(
                                            TestGroup.REQUEST,
                                            new byte[9],
                                            List.of(),
                                            released::incrementAndGet));
            assertThrows(ExecutionException.class, () -> connecting.get(20, TimeUnit.SECONDS));
            var failure =
                    assertThrows(ExecutionException.class, () -> reply.get(20, TimeUnit.SECONDS));
            assertTrue(failure.getCause() instanceof RpcConnectionException, failure::toString);
            assertEquals(1, released.get());
            assertEquals(0, group.node(0).metric("bytes_waiting"));
        }
    }
}
