package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.KIB;
import static org.gradwire.backend.tensorpipe.Calls.MIB;
import static org.gradwire.backend.tensorpipe.Calls.assertSame;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.patterned;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.Calls.Way;
import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Messages arrive unchanged, over each transport. */
class TransferTest {
    @ParameterizedTest
    @EnumSource(Way.class)
    void messagesOfAllSizesArriveAsTheyWereSent(Way way) throws Exception {
        try (var world = new World(2, way.settings())) {
            for (int bytes :
                    new int[] {
                        0,
                        4,
                        1000,
                        1360,
                        64 * KIB - 160,
                        64 * KIB - 96,
                        64 * KIB,
                        128 * KIB,
                        200 * KIB,
                        512 * KIB - 4,
                        512 * KIB,
                        640 * KIB + 4,
                        MIB,
                        5 * MIB + 4,
                        64 * MIB
                    }) {
                MemorySegment heap = patterned(MemorySegment.ofArray(new float[bytes / 4]));
                MemorySegment raw = patterned(Arena.ofAuto().allocate(bytes, 8));
                byte[] payload = new byte[Math.min(bytes, MIB)];
                java.util.Arrays.fill(payload, (byte) 5);
                Message reply = get(world.node(0).call(1, World.request(payload, heap, raw)));
                assertArrayEquals(payload, reply.payload());
                assertSame(heap, reply.buffers().get(0));
                assertSame(raw, reply.buffers().get(1));
                assertInstanceOf(float[].class, reply.buffers().get(0).heapBase().orElseThrow());
                assertTrue(reply.buffers().get(1).isNative());
            }
            boolean singly = way == Way.UDP_AND_TCP; // no process reads its own memory
            assertEquals(singly, world.node(0).figure("single-copy.read") > 0);
            assertEquals(0, world.node(0).figure("single-copy.failed"));
            assertEquals(0, world.node(0).figure("frames.rejected"));
            assertEquals(0, world.node(1).figure("frames.rejected"));
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void fourWorkersCallEachOtherAtOnce(Way way) throws Exception {
        try (var world = new World(4, way.settings())) {
            List<CompletableFuture<Message>> replies = new ArrayList<>();
            for (int round = 0; round < 50; round++) {
                for (Node node : world.nodes) {
                    for (int to = 0; to < 4; to++) {
                        byte[] payload = {(byte) node.info.id(), (byte) to, (byte) round};
                        MemorySegment buffer =
                                patterned(MemorySegment.ofArray(new int[round * 100]));
                        replies.add(
                                node.call(to, World.request(payload, buffer))
                                        .thenApply(reply -> {
                                            assertArrayEquals(payload, reply.payload());
                                            assertSame(buffer, reply.buffers().get(0));
                                            return reply;
                                        }));
                    }
                }
            }
            for (CompletableFuture<Message> reply : replies) {
                get(reply);
            }
        }
    }

    @Test
    void smallMessagesOvertakeLargeOnes() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY_IN_CHUNKS.settings())) {
            MemorySegment large = MemorySegment.ofArray(new float[16 * 1024 * 1024]);
            List<CompletableFuture<Message>> larges = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                larges.add(world.node(0).call(1, World.request(new byte[0], large)));
            }
            get(world.node(0).call(1, World.request(new byte[] {1})));
            assertTrue(
                    larges.stream().anyMatch(reply -> !reply.isDone()),
                    "the small call waited for all large ones");
            for (CompletableFuture<Message> reply : larges) {
                get(reply);
            }
        }
    }

    @Test
    void aWorkerThatSendsToItselfGetsCopies() throws Exception {
        try (var world = new World(1, Way.SHARED_MEMORY.settings())) {
            for (int floats : new int[] {0, 10, 1024 * 1024}) {
                MemorySegment heap = patterned(MemorySegment.ofArray(new float[floats]));
                MemorySegment raw = patterned(Arena.ofAuto().allocate(floats * 4L, 4));
                var seen = new CompletableFuture<Message>();
                world.node(0).answer =
                        World.answering((from, request) -> {
                            seen.complete(request);
                            return request;
                        });
                byte[] payload = {1, 2};
                Message reply = get(world.node(0).call(0, World.request(payload, heap, raw)));
                assertSame(heap, reply.buffers().get(0));
                assertSame(raw, reply.buffers().get(1));
                assertNotSame(payload, get(seen).payload());
                assertNotSame(
                        heap.heapBase().orElseThrow(),
                        get(seen).buffers().get(0).heapBase().orElseThrow());
                assertNotSame(
                        get(seen).buffers().get(0).heapBase().orElseThrow(),
                        reply.buffers().get(0).heapBase().orElseThrow());
            }
            assertTrue(world.node(0).threads.get(0).contains("poller"));
        }
    }

    @Test
    void everyMessageIsReleasedOnceItHasArrived() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            for (int bytes : new int[] {0, 100, 100 * KIB, 10 * MIB}) {
                for (int to : new int[] {0, 1}) {
                    var released = new CountDownLatch(2);
                    MemorySegment raw = patterned(Arena.ofAuto().allocate(bytes, 8));
                    world.node(to).answer =
                            new AgentListener() {
                                @Override
                                public void onRequest(int from, Message request, ReplySink sink) {
                                    sink.reply(
                                            new Message(
                                                    World.REPLY,
                                                    new byte[0],
                                                    request.buffers(),
                                                    released::countDown));
                                }

                                @Override
                                public void onPeerLost(int peer, RpcException reason) {}
                            };
                    Message request =
                            new Message(
                                    World.REQUEST, new byte[0], List.of(raw), released::countDown);
                    get(world.node(0).call(to, request));
                    assertTrue(released.await(10, TimeUnit.SECONDS), () -> bytes + " to " + to);
                }
            }
        }
    }

    @Test
    void callsAreAnsweredFromManyThreads() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            var threads =
                    IntStream.range(0, 8)
                            .mapToObj(thread ->
                                    CompletableFuture.runAsync(
                                            () ->
                                                    IntStream.range(0, 500)
                                                            .forEach(i -> echo(world, thread, i)),
                                            task -> Thread.ofVirtual().start(task)))
                            .toList();
            for (var thread : threads) {
                thread.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static void echo(World world, int thread, int i) {
        byte[] payload = {(byte) thread, (byte) i, (byte) (i >> 8)};
        MemorySegment buffer = patterned(MemorySegment.ofArray(new int[i * 50]));
        Message reply = world.node(0).call(1, World.request(payload, buffer)).join();
        assertArrayEquals(payload, reply.payload());
        assertSame(buffer, reply.buffers().get(0));
    }
}
