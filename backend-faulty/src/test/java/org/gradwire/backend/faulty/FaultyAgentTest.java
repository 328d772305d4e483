package org.gradwire.backend.faulty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.faulty.FakeAgent.Sent;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.Store;
import org.gradwire.spi.WorkerTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Failed and delayed sends, all of which end. */
class FaultyAgentTest {
    private static final long MILLI = 1_000_000;

    private final FakeAgent fake = new FakeAgent();
    private final Ending ending = new Ending();
    private FaultyAgent agent = failing(3, MessageTypes.RREF_USER_DELETE);

    /** Collects the outcomes of requests. */
    private static final class Ending implements ReplyHandler {
        final BlockingQueue<Object> ends = new LinkedBlockingQueue<>();
        volatile long endedNanos;

        @Override
        public void onReply(Message reply) {
            endedNanos = System.nanoTime();
            ends.add(reply);
        }

        @Override
        public void onFailure(RuntimeException failure) {
            endedNanos = System.nanoTime();
            ends.add(failure);
        }

        Object await() throws InterruptedException {
            Object end = ends.poll(30, TimeUnit.SECONDS);
            assertNotNull(end, "the request has not ended");
            return end;
        }
    }

    private FaultyAgent failing(int times, int... types) {
        Map<Integer, Boolean> toFail = new TreeMap<>();
        for (int type : types) {
            toFail.put(type, true);
        }
        return faulty(
                new FaultPlan(
                        times,
                        ValuesByMessageType.of(toFail),
                        ValuesByMessageType.none(),
                        Map.of(),
                        List.of(),
                        1));
    }

    private FaultyAgent delaying(int type, Duration delay) {
        return faulty(
                new FaultPlan(
                        3,
                        ValuesByMessageType.none(),
                        ValuesByMessageType.of(Map.of(type, Delay.of(delay))),
                        Map.of(),
                        List.of(),
                        1));
    }

    private FaultyAgent faulty(FaultPlan plan) {
        return new FaultyAgent(fake, plan, 0, WorkerTime.system());
    }

    private static Message message(int type, int... payload) {
        byte[] bytes = new byte[payload.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) payload[i];
        }
        return new Message(type, bytes, List.of());
    }

    private Sent awaitSent() throws InterruptedException {
        Sent sent = fake.sent.poll(30, TimeUnit.SECONDS);
        assertNotNull(sent, "nothing was sent");
        return sent;
    }

    @AfterEach
    void close() {
        agent.close();
    }

    @Test
    void firstSendsOfAPayloadFail() throws Exception {
        for (int attempt = 0; attempt < 3; attempt++) {
            agent.send(1, message(MessageTypes.RREF_USER_DELETE, 7), 0, ending);
            var failure = assertInstanceOf(RpcException.class, ending.await());
            assertEquals(RpcErrorKind.INTENTIONAL_FAILURE, failure.kind());
            assertEquals(
                    "RPCErr:2:Send attempt failed intentionally for Message(type=RREF_USER_DELETE, payload=1 bytes, buffers=0)",
                    failure.getMessage());
        }
        for (int attempt = 0; attempt < 2; attempt++) {
            agent.send(1, message(MessageTypes.RREF_USER_DELETE, 7), 5 * MILLI, ending);
            Sent sent = awaitSent();
            assertEquals(5 * MILLI, sent.timeoutNanos());
            assertSame(ending, sent.handler());
        }
        assertEquals(0, ending.ends.size());
    }

    @Test
    void failuresAreCountedByPayloadNotByDestination() throws Exception {
        for (int to = 1; to <= 3; to++) {
            agent.send(to, message(MessageTypes.RREF_USER_DELETE, 1), 0, ending);
            assertInstanceOf(RpcException.class, ending.await());
        }
        agent.send(4, message(MessageTypes.RREF_USER_DELETE, 1), 0, ending);
        assertEquals(4, awaitSent().to());
        agent.send(4, message(MessageTypes.RREF_USER_DELETE, 2), 0, ending);
        assertInstanceOf(RpcException.class, ending.await());
    }

    @Test
    void otherTypesPassImmediatelyAndUnchanged() throws Exception {
        Message request = message(MessageTypes.FORWARD_AUTOGRAD_REQ, 1);
        agent.send(2, request, 3, ending);
        Sent sent = awaitSent();
        assertSame(request, sent.request());
        assertEquals(2, sent.to());
        assertEquals(3, sent.timeoutNanos());
    }

    @Test
    void zeroFailingSendsMeansNone() throws Exception {
        agent = failing(0, MessageTypes.RREF_USER_DELETE);
        agent.send(1, message(MessageTypes.RREF_USER_DELETE, 1), 0, ending);
        assertEquals(1, awaitSent().to());
    }

    @Test
    void failedSendReleasesItsMessage() {
        var released = new AtomicInteger();
        agent.send(
                1,
                new Message(
                        MessageTypes.RREF_USER_DELETE,
                        new byte[0],
                        List.of(),
                        released::incrementAndGet),
                0,
                ending);
        assertEquals(1, released.get());
    }

    @Test
    void delayedMessageIsSentLaterWithTheRemainingTimeout() throws Exception {
        agent = delaying(MessageTypes.SCRIPT_CALL, Duration.ofMillis(30));
        long start = System.nanoTime();
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 1), 10_000 * MILLI, ending);
        Sent sent = awaitSent();
        assertTrue(sent.atNanos() - start >= 30 * MILLI, "sent too early");
        assertEquals(9_970 * MILLI, sent.timeoutNanos());
        Message reply = message(MessageTypes.SCRIPT_RET);
        sent.handler().onReply(reply);
        assertSame(reply, ending.await());
    }

    @Test
    void delayedMessageWithoutATimeoutHasNone() throws Exception {
        agent = delaying(MessageTypes.SCRIPT_CALL, Duration.ofMillis(1));
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 1), 0, ending);
        assertEquals(0, awaitSent().timeoutNanos());
    }

    @Test
    void timeoutOfADelayedMessageNamesTheOriginalTimeout() throws Exception {
        agent = delaying(MessageTypes.SCRIPT_CALL, Duration.ofMillis(5));
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 1), 2_000 * MILLI, ending);
        awaitSent()
                .handler()
                .onFailure(new RpcTimeoutException(PendingCalls.timeoutText(1_995 * MILLI)));
        var failure = assertInstanceOf(RpcTimeoutException.class, ending.await());
        assertEquals(PendingCalls.timeoutText(2_000 * MILLI), failure.getMessage());
    }

    @Test
    void callWithADelayAboveItsTimeoutFailsAndIsSentNevertheless() throws Exception {
        agent = delaying(MessageTypes.SCRIPT_CALL, Duration.ofMillis(60));
        long start = System.nanoTime();
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 1), 20 * MILLI, ending);
        var failure = assertInstanceOf(RpcTimeoutException.class, ending.await());
        assertEquals(PendingCalls.timeoutText(20 * MILLI), failure.getMessage());
        assertTrue(ending.endedNanos - start >= 20 * MILLI, "timed out too early");
        Sent sent = awaitSent();
        assertTrue(sent.atNanos() - start >= 60 * MILLI, "sent too early");
        sent.handler().onReply(message(MessageTypes.SCRIPT_RET)); // the caller has timed out
        assertEquals(0, ending.ends.size());
    }

    @Test
    void closingFailsDelayedAndLaterSends() throws Exception {
        agent = delaying(MessageTypes.SCRIPT_CALL, Duration.ofHours(1));
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 1), 0, ending);
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 2), 1_000_000 * MILLI, ending);
        assertNull(fake.sent.poll());
        agent.close();
        agent.close();
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 3), 0, ending);
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 4), 1_000_000 * MILLI, ending);
        for (int i = 0; i < 4; i++) {
            var failure = assertInstanceOf(RpcException.class, ending.await());
            assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
        }
        assertEquals(0, ending.ends.size());
        assertEquals(0, fake.sent.size());
    }

    @RepeatedTest(20)
    void everyDelayedSendEndsOnceWhenTheAgentIsClosedMeanwhile() throws Exception {
        agent = delaying(MessageTypes.SCRIPT_CALL, Duration.ofNanos(50_000));
        int sends = 500;
        List<Ending> endings = new ArrayList<>();
        for (int i = 0; i < sends; i++) {
            endings.add(new Ending());
        }
        var halfway = new CountDownLatch(1);
        Thread sender =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; i < sends; i++) {
                                if (i == sends / 2) {
                                    halfway.countDown();
                                }
                                agent.send(
                                        1,
                                        message(MessageTypes.SCRIPT_CALL, i, i >> 8),
                                        i % 2 == 0 ? 0 : 20_000,
                                        endings.get(i));
                            }
                        });
        halfway.await();
        agent.close();
        sender.join();
        fake.sent.forEach(
                sent -> sent.handler().onFailure(PendingCalls.closed(0, sent.request().type())));
        for (Ending each : endings) {
            assertNotNull(each.await());
            assertEquals(0, each.ends.size(), "ended twice");
        }
    }

    @Test
    void metricsIncludeThoseOfTheWrappedAgent() {
        agent =
                faulty(
                        new FaultPlan(
                                3,
                                ValuesByMessageType.of(Map.of(MessageTypes.RREF_USER_DELETE, true)),
                                ValuesByMessageType.of(
                                        Map.of(
                                                MessageTypes.SCRIPT_CALL,
                                                Delay.of(Duration.ofSeconds(1)))),
                                Map.of(),
                                List.of(),
                                1));
        assertEquals(
                Map.of(
                        "fake.figure", "1",
                        "faulty.num_fail_sends", "3",
                        "faulty.messages_to_fail", "RREF_USER_DELETE",
                        "faulty.messages_to_delay", "SCRIPT_CALL",
                        "faulty.seed", "1",
                        "faulty.reordered_requests", "0"),
                agent.debugInfo());
        assertEquals(1, agent.poll());
        assertEquals(1, fake.polled.get());
    }

    @Test
    void reorderedRequestIsOvertakenByTheNextToTheSameWorker() throws Exception {
        agent =
                faulty(
                        new FaultPlan(
                                0,
                                ValuesByMessageType.none(),
                                ValuesByMessageType.none(),
                                Map.of(
                                        Fault.REORDER,
                                        ValuesByMessageType.of(
                                                Map.of(MessageTypes.SCRIPT_CALL, 1.0))),
                                List.of(),
                                1));
        agent.send(1, message(MessageTypes.SCRIPT_CALL, 1), 10_000 * MILLI, ending);
        agent.send(2, message(MessageTypes.SCRIPT_CALL, 2), 0, ending);
        assertEquals(0, fake.sent.size());
        agent.send(1, message(MessageTypes.UDF_CALL, 3), 0, ending);
        assertEquals(3, awaitSent().request().payload()[0]);
        Sent overtaken = awaitSent();
        assertEquals(1, overtaken.request().payload()[0]);
        assertTrue(overtaken.timeoutNanos() <= 10_000 * MILLI);
        assertEquals(2, awaitSent().request().payload()[0], "sent before another overtook it");
        assertEquals("2", agent.debugInfo().get("faulty.reordered_requests"));
    }

    @Test
    void missingBackendCannotBeWrapped() {
        var context =
                new AgentContext(
                        new WorkerInfo(0, "w0"),
                        new FixedSettings(Map.of(FaultyBackend.WRAPPED, "carrier-pigeon")),
                        new NoStore(),
                        BufferAllocator.plain());
        assertEquals(
                "gradwire.faulty.backend=carrier-pigeon (from the options): there is no such backend to wrap; installed: []",
                assertThrows(
                                RpcConfigurationException.class,
                                () -> new FaultyBackend().create(context))
                        .getMessage());
    }

    private static final class NoStore implements Store {
        @Override
        public void set(String key, byte[] value) {
            throw new UnsupportedOperationException(key);
        }

        @Override
        public byte[] get(String key, Duration timeout) {
            throw new UnsupportedOperationException(key);
        }

        @Override
        public long add(String key, long amount) {
            throw new UnsupportedOperationException(key);
        }

        @Override
        public void close() {}
    }
}
