package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.failure;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.Calls.Way;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The ends of calls, and their callbacks. */
class AgentTest {
    @Test
    void aCallEndsAtItsDeadline() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            world.node(1).answer = World.silent();
            long start = System.nanoTime();
            var failure =
                    failure(
                            RpcTimeoutException.class,
                            world.node(0).call(1, World.request(new byte[0]), 200));
            long millis = (System.nanoTime() - start) / 1_000_000;
            assertTrue(text(failure).contains("RPC ran for more than set timeout (200 ms)"));
            assertTrue(millis >= 200 && millis < 2000, () -> millis + " ms");
            assertEquals(0, world.node(0).figure("calls.pending"));
        }
    }

    @Test
    void onlyTheFirstReplyCounts() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            var releases = new CountDownLatch(3);
            world.node(1).answer =
                    new AgentListener() {
                        @Override
                        public void onRequest(int from, Message request, ReplySink sink) {
                            for (byte i = 1; i <= 3; i++) {
                                sink.reply(
                                        new Message(
                                                World.REPLY,
                                                new byte[] {i},
                                                List.of(),
                                                releases::countDown));
                            }
                        }

                        @Override
                        public void onPeerLost(int peer, RpcException reason) {}
                    };
            assertArrayEquals(
                    new byte[] {1},
                    get(world.node(0).call(1, World.request(new byte[0]))).payload());
            assertTrue(releases.await(10, TimeUnit.SECONDS), "each reply is released");
        }
    }

    @Test
    void whatIsNoRequestIsNotSent() {
        try (var world = new World(1, Way.SHARED_MEMORY.settings())) {
            var reply = new Message(World.REPLY, new byte[0], List.of());
            assertThrows(IllegalArgumentException.class, () -> world.node(0).call(0, reply));
        }
    }

    @Test
    void aWorkerThatIsNotThereIsNamed() {
        try (var world = new World(1, Way.SHARED_MEMORY.settings())) {
            var failure =
                    failure(RpcException.class, world.node(0).call(7, World.request(new byte[0])));
            assertEquals(RpcErrorKind.REFUSED, failure.kind());
            assertTrue(text(failure).contains("7"));
        }
    }

    @Test
    void aMessageOverTheLimitIsRefusedAtOnce() {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            // Never read, so no memory is needed.
            @SuppressWarnings("restricted")
            MemorySegment huge = MemorySegment.ofAddress(4096).reinterpret((1L << 31) + 1);
            for (int to : new int[] {0, 1}) {
                var released = new AtomicInteger();
                Message request =
                        new Message(
                                World.REQUEST,
                                new byte[0],
                                List.of(huge),
                                released::incrementAndGet);
                var failure = failure(RpcException.class, world.node(0).call(to, request));
                assertEquals(RpcErrorKind.REFUSED, failure.kind());
                assertEquals(
                        "message of 2147483649 bytes refused: it exceeds gradwire.tensorpipe.max-message-bytes=2147483648",
                        text(failure));
                assertEquals(1, released.get());
            }
        }
    }

    @Test
    void aReplyOverTheLimitFailsTheCallThatAsked() {
        Map<String, String> settings = Map.of("driver", "embedded", "max-message-bytes", "1k");
        try (var world = new World(2, settings)) {
            for (int to : new int[] {0, 1}) {
                world.node(to).answer =
                        World.answering((from, request) -> World.request(new byte[2000]));
                var failure =
                        failure(
                                RpcException.class,
                                world.node(0).call(to, World.request(new byte[0])));
                assertEquals(RpcErrorKind.REFUSED, failure.kind());
                assertTrue(text(failure).contains("2000 bytes"), text(failure));
                assertTrue(text(failure).contains("max-message-bytes=1024"));
            }
        }
    }

    @Test
    void callbacksThatThrowHarmNobody() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            world.node(1).answer =
                    new AgentListener() {
                        @Override
                        public void onRequest(int from, Message request, ReplySink sink) {
                            throw new IllegalStateException("as a test");
                        }

                        @Override
                        public void onPeerLost(int peer, RpcException reason) {}
                    };
            var failure =
                    failure(RpcException.class, world.node(0).call(1, World.request(new byte[0])));
            assertTrue(text(failure).contains("as a test"));
            world.node(1).answer = World.answering((from, request) -> request);
            get(world.node(0).call(1, World.request(new byte[0])));
            assertEquals(1, world.node(1).figure("callbacks.thrown"));
        }
    }

    @Test
    void aThreadThatLendsItselfIsCalledBack() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            String self = Thread.currentThread().getName();
            var nested = new AtomicInteger(-1);
            world.node(0).answer =
                    World.answering((from, request) -> {
                        nested.set(world.node(0).agent.poll());
                        return request;
                    });
            // The poller may be faster sometimes, but not in all of a thousand calls.
            for (int i = 0; i < 1000 && !world.node(0).threads.contains(self); i++) {
                CompletableFuture<Message> reply =
                        world.node(1).call(0, World.request(new byte[0]));
                while (!reply.isDone()) {
                    world.node(0).agent.poll();
                }
                get(reply);
            }
            assertTrue(world.node(0).threads.contains(self));
            assertEquals(0, nested.get(), "a polling thread does not poll within its own callback");
        }
    }
}
