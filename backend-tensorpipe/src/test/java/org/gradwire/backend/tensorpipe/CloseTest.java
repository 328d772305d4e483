package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.failure;
import static org.gradwire.backend.tensorpipe.Calls.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.Calls.Way;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;
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
import java.util.concurrent.atomic.AtomicInteger;

/** Calls and messages at the close of an agent. */
class CloseTest {
    @Test
    void closingFailsTheCallsOfBothSides() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            world.nodes.forEach(node -> node.answer = World.silent());
            var own = world.node(0).call(1, World.request(new byte[0]));
            var other = world.node(1).call(0, World.request(new byte[0]));
            var self = world.node(0).call(0, World.request(new byte[0]));
            world.node(0).agent.close();
            for (var call : List.of(own, self)) {
                var failure = failure(RpcException.class, call);
                assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
                assertTrue(text(failure).contains("RPC is no longer running on this node."));
            }
            var failure = failure(RpcConnectionException.class, other);
            assertTrue(
                    text(failure).contains("Connection closed by peer worker0 (id 0)"),
                    text(failure));
            World.Lost lost = world.node(1).awaitLost();
            assertEquals(0, lost.peer());
            assertTrue(text(lost.reason()).contains("Connection closed by peer"));
            world.node(0).agent.close();
            assertTrue(world.node(1).lost.isEmpty(), "lost once");
        }
    }

    @Test
    void nothingIsSentToAPeerThatIsGoneNorFromAClosedAgent() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            world.node(0).agent.close();
            var own =
                    failure(RpcException.class, world.node(0).call(1, World.request(new byte[0])));
            assertEquals(
                    "Node 0 tried to send() a message of type SCRIPT_CALL but RPC is no longer running on this node.",
                    text(own));
            world.node(1).awaitLost();
            var other = world.node(1).call(0, World.request(new byte[0]));
            assertTrue(other.isDone(), "fails at once");
            assertTrue(
                    text(failure(RpcConnectionException.class, other))
                            .contains("closed by peer worker0 (id 0)"));
        }
    }

    @Test
    void anAgentCanBeClosedFromItsOwnCallback() throws Exception {
        try (var world = new World(2, Way.SHARED_MEMORY.settings())) {
            var closed = new CountDownLatch(1);
            world.node(1).answer =
                    World.answering((from, request) -> {
                        world.node(1).agent.close();
                        closed.countDown();
                        return request;
                    });
            var reply = world.node(0).call(1, World.request(new byte[0]));
            assertTrue(closed.await(5, TimeUnit.SECONDS));
            failure(RpcConnectionException.class, reply);
            world.node(0).awaitLost();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void closingWhileManySendLosesNoCallAndNoRelease(Way way) throws Exception {
        try (var world = new World(2, way.settings())) {
            var releases = new AtomicInteger();
            List<CompletableFuture<Message>> calls = new ArrayList<>();
            var started = new CountDownLatch(100);
            Thread sending =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < 400; i++) {
                                    MemorySegment buffer = Arena.ofAuto().allocate(i * 1000L, 8);
                                    calls.add(
                                            world.node(0)
                                                    .call(
                                                            1,
                                                            new Message(
                                                                    World.REQUEST,
                                                                    new byte[10],
                                                                    List.of(buffer),
                                                                    releases::incrementAndGet)));
                                    started.countDown();
                                }
                            });
            assertTrue(started.await(20, TimeUnit.SECONDS));
            world.node(0).agent.close();
            sending.join(20_000);
            for (CompletableFuture<Message> call : calls) {
                call.handle((_, _) -> null).get(10, TimeUnit.SECONDS);
            }
            assertEquals(400, calls.size());
            assertEquals(400, releases.get());
        }
    }
}
