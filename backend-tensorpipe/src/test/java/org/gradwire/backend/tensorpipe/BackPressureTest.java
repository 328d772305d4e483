package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.failure;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Back pressure of a peer that does not read, since a callback blocks its poller. */
class BackPressureTest {
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch isHeldUp = new CountDownLatch(1);
    private final AtomicInteger releases = new AtomicInteger();
    private World world = worldWith("1g");

    private World worldWith(String queueBytes) {
        var one =
                new World(
                        2,
                        Map.of(
                                "driver",
                                "embedded",
                                "term-length",
                                "64k",
                                "single-copy",
                                "off",
                                "send-queue-bytes",
                                queueBytes));
        one.node(1).answer =
                World.answering((from, request) -> {
                    isHeldUp.countDown();
                    awaitGo();
                    return request;
                });
        return one;
    }

    private void awaitGo() {
        try {
            assertTrue(go.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void letGo() {
        go.countDown();
        world.close();
    }

    private CompletableFuture<Message> call(int bytes, long timeoutMillis) {
        MemorySegment buffer = MemorySegment.ofArray(new byte[bytes]);
        return world.node(0)
                .call(
                        1,
                        new Message(
                                World.REQUEST,
                                new byte[0],
                                List.of(buffer),
                                releases::incrementAndGet),
                        timeoutMillis);
    }

    private void holdUp() throws InterruptedException {
        var _ = call(0, 60_000);
        assertTrue(isHeldUp.await(20, TimeUnit.SECONDS));
    }

    private void awaitReleases(int count) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (releases.get() < count) {
            assertTrue(System.nanoTime() < deadline, () -> releases + " of " + count);
            TimeUnit.MILLISECONDS.sleep(1); // interval between checks only
        }
        assertEquals(count, releases.get());
    }

    @Test
    void messagesWaitInTheQueueAndArriveInTheEnd() throws Exception {
        holdUp();
        List<CompletableFuture<Message>> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            calls.add(call(i % 10 == 0 ? 100_000 : 1000, 60_000));
        }
        assertTrue(world.node(0).figure("queue.bytes") > 1_000_000);
        go.countDown();
        for (CompletableFuture<Message> call : calls) {
            get(call);
        }
        awaitReleases(201);
        assertEquals(0, world.node(0).figure("queue.bytes"));
    }

    @Test
    void callsWhoseMessagesWaitEndByTheirDeadlineAndAreReleased() throws Exception {
        holdUp();
        List<CompletableFuture<Message>> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            calls.add(call(i % 10 == 0 ? 100_000 : 1000, 300));
        }
        long start = System.nanoTime();
        for (CompletableFuture<Message> call : calls) {
            failure(RpcTimeoutException.class, call);
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        assertTrue(millis < 3000, () -> millis + " ms");
        awaitReleases(201);
        assertEquals(0, world.node(0).figure("queue.bytes"));
        go.countDown();
        get(call(500_000, 60_000)); // the log works again
        assertEquals(0, world.node(1).figure("frames.rejected"));
    }

    @Test
    void aFullQueueRefusesAtOnceAndNamesTheSetting() throws Exception {
        world.close();
        world = worldWith("100k");
        holdUp();
        List<CompletableFuture<Message>> waiting = new ArrayList<>();
        CompletableFuture<Message> refused = call(1000, 60_000);
        while (!refused.isDone()) {
            assertTrue(waiting.size() < 400, "no message is refused");
            waiting.add(refused);
            refused = call(1000, 60_000);
        }
        RpcException failure = failure(RpcException.class, refused);
        assertEquals(RpcErrorKind.REFUSED, failure.kind());
        assertTrue(text(failure).contains("send-queue-bytes=102400"), text(failure));
        assertTrue(text(failure).contains("1008 bytes"), text(failure));
        go.countDown();
        for (CompletableFuture<Message> call : waiting) {
            get(call);
        }
        awaitReleases(waiting.size() + 2);
    }

    @Test
    void aMessageLargerThanTheQueueIsSentWhenNothingElseWaits() throws Exception {
        world.close();
        world = worldWith("100k");
        go.countDown();
        get(call(1_000_000, 60_000));
        awaitReleases(1);
    }

    @Test
    void closingReleasesWhatWaits() throws Exception {
        holdUp();
        List<CompletableFuture<Message>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            calls.add(call(i % 10 == 0 ? 100_000 : 1000, 0));
        }
        long start = System.nanoTime();
        world.node(0).agent.close();
        long millis = (System.nanoTime() - start) / 1_000_000;
        assertTrue(millis < 2500, () -> millis + " ms");
        for (CompletableFuture<Message> call : calls) {
            failure(RpcException.class, call);
        }
        awaitReleases(101);
    }

    @Test
    void anAgentWhosePollerIsHeldUpClosesInBoundedTime() throws Exception {
        holdUp();
        var call = world.node(1).call(0, World.request(new byte[0]), 0);
        world.node(0).answer = World.silent();
        long start = System.nanoTime();
        world.node(1).agent.close();
        long millis = (System.nanoTime() - start) / 1_000_000;
        assertTrue(millis < 3000, () -> millis + " ms");
        call.handle((_, _) -> null).get(1, TimeUnit.SECONDS);
    }
}
