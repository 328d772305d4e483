package org.gradwire.backend.faulty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.faulty.FakeAgent.Sent;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Lost and repeated requests, each of which ends once. */
class LossyAgentTest {
    private static final int TYPE = MessageTypes.UDF_CALL;
    private static final ValuesByMessageType<Double> ALL =
            ValuesByMessageType.of(Map.of(TYPE, 1.0));
    private static final ValuesByMessageType<Double> NONE = ValuesByMessageType.none();
    private static final long LATE = TimeUnit.HOURS.toNanos(1);

    private final FakeAgent fake = new FakeAgent();
    private final AtomicInteger released = new AtomicInteger();
    private final BlockingQueue<Object> ends = new LinkedBlockingQueue<>();
    private final ReplyHandler handler =
            new ReplyHandler() {
                @Override
                public void onReply(Message reply) {
                    ends.add(reply);
                }

                @Override
                public void onFailure(RuntimeException failure) {
                    ends.add(failure);
                }
            };
    private RpcAgent agent = fake;

    private void lose(
            ValuesByMessageType<Double> requests,
            ValuesByMessageType<Double> replies,
            ValuesByMessageType<Double> repeated) {
        agent =
                lossy(
                        Map.of(
                                Fault.LOSE_REQUEST, requests,
                                Fault.LOSE_REPLY, replies,
                                Fault.REPEAT, repeated),
                        List.of());
    }

    private LossyAgent lossy(
            Map<Fault, ValuesByMessageType<Double>> shares,
            List<NetworkPartition> networkPartitions) {
        return new LossyAgent(
                fake,
                new FaultPlan(
                        0,
                        ValuesByMessageType.none(),
                        ValuesByMessageType.none(),
                        shares,
                        networkPartitions,
                        1),
                0,
                WorkerTime.system());
    }

    private static NetworkPartition cut(int from, int to, boolean bothWays, Duration length) {
        return new NetworkPartition(from, to, bothWays, Duration.ZERO, length);
    }

    @Test
    void requestIsDroppedDuringAPartition() throws Exception {
        agent = lossy(Map.of(), List.of(cut(0, 1, false, Duration.ofDays(1))));
        send(20_000_000);
        assertInstanceOf(RpcTimeoutException.class, end());
        assertNull(sent());
        assertEquals("1", agent.debugInfo().get("faulty.cut_off"));
    }

    @Test
    void replyIsDroppedDuringAPartition() throws Exception {
        agent = lossy(Map.of(), List.of(cut(1, 0, false, Duration.ofDays(1))));
        send(20_000_000);
        Sent request = sent();
        assertNotNull(request);
        request.handler().onReply(reply());
        assertInstanceOf(RpcTimeoutException.class, end());
        assertEquals("1", agent.debugInfo().get("faulty.cut_off"));
    }

    @Test
    void messagesPassAfterAPartitionAndBetweenOthers() throws Exception {
        agent =
                lossy(
                        Map.of(),
                        List.of(
                                cut(0, 1, true, Duration.ZERO),
                                cut(NetworkPartition.ANY, 2, true, Duration.ofDays(1))));
        send(LATE);
        Sent request = sent();
        assertNotNull(request);
        Message reply = reply();
        request.handler().onReply(reply);
        assertEquals(reply, end());
        assertEquals("0", agent.debugInfo().get("faulty.cut_off"));
    }

    private Message request() {
        return new Message(TYPE, new byte[] {1}, List.of(), released::incrementAndGet);
    }

    private void send(long timeoutNanos) {
        agent.send(1, request(), timeoutNanos, handler);
    }

    private Object end() throws InterruptedException {
        Object end = ends.poll(30, TimeUnit.SECONDS);
        assertNotNull(end, "the request has not ended");
        return end;
    }

    private Sent next() {
        Sent sent = sent();
        assertNotNull(sent, "nothing was sent");
        return sent;
    }

    private @Nullable Sent sent() {
        return fake.sent.poll();
    }

    private static Message reply() {
        return new Message(MessageTypes.UDF_RET, new byte[1], List.of());
    }

    @AfterEach
    void endOnceAndReleaseOnce() {
        agent.close();
        assertEquals(1, released.get());
        assertEquals(List.of(), new ArrayList<>(ends));
    }

    @Test
    void aLostRequestEndsByItsDeadline() throws Exception {
        lose(ALL, NONE, NONE);
        long begun = System.nanoTime();
        send(20_000_000);
        var failure = assertInstanceOf(RpcTimeoutException.class, end());
        assertTrue(failure.getMessage().contains("(20 ms)"), failure::getMessage);
        assertTrue(System.nanoTime() - begun >= 20_000_000);
        assertNull(sent());
        assertEquals("1", agent.debugInfo().get("faulty.lost_requests"));
    }

    @Test
    void aRequestWhoseReplyIsLostIsSentAndEndsByItsDeadline() throws Exception {
        lose(NONE, ALL, NONE);
        send(20_000_000);
        Sent request = sent();
        assertNotNull(request);
        request.handler().onReply(reply());
        assertInstanceOf(RpcTimeoutException.class, end());
        assertEquals("1", agent.debugInfo().get("faulty.lost_replies"));
    }

    @Test
    void errorOfARequestWithALostReplyIsForwarded() throws Exception {
        lose(NONE, ALL, NONE);
        send(LATE);
        Sent request = sent();
        assertNotNull(request);
        request.handler().onFailure(new RpcConnectionException("gone"));
        assertEquals("gone", assertInstanceOf(RpcConnectionException.class, end()).getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anErrorOfOneCopyOfARepeatedRequestIsNotItsOutcome(boolean errorFirst) throws Exception {
        lose(NONE, NONE, ALL);
        send(LATE);
        List<Sent> copies = List.of(next(), next());
        var refused = new Message(MessageTypes.EXCEPTION, new byte[] {2}, List.of());
        Message reply = reply();
        copies.getFirst().handler().onReply(errorFirst ? refused : reply);
        copies.getLast().handler().onReply(errorFirst ? reply : refused);
        assertSame(reply, end());
        assertEquals(0, ends.size(), "ended twice");
    }

    @Test
    void repeatedRequestWithoutADeadlineEndsThoughOneCopyHasNoReply() throws Exception {
        lose(NONE, NONE, ALL);
        send(0);
        var refused = new Message(MessageTypes.EXCEPTION, new byte[] {2}, List.of());
        next().handler().onReply(refused);
        Sent unanswered = next();
        assertSame(refused, end());
        unanswered.handler().onFailure(new RpcException("closed"));
        assertEquals(0, ends.size(), "ended twice");
    }

    @Test
    void repeatedRequestFailsWithTheFirstErrorWhenBothCopiesFail() throws Exception {
        lose(NONE, NONE, ALL);
        send(LATE);
        var refused = new Message(MessageTypes.EXCEPTION, new byte[] {2}, List.of());
        next().handler().onReply(refused);
        assertEquals(0, ends.size(), "the other copy is in flight");
        next().handler().onFailure(new RpcException("lost"));
        assertSame(refused, end());
        assertEquals(0, ends.size(), "ended twice");
    }

    @Test
    void aRepeatedRequestArrivesTwiceAndEndsOnce() throws Exception {
        lose(NONE, NONE, ALL);
        send(LATE);
        Sent first = sent();
        Sent second = sent();
        assertNotNull(first);
        assertNotNull(second);
        Message reply = reply();
        second.handler().onReply(reply);
        first.handler().onReply(reply());
        assertEquals(reply, end());
        assertEquals("1", agent.debugInfo().get("faulty.repeated_requests"));
    }

    @Test
    void lostRequestEndsWithItsPeer() throws Exception {
        lose(ALL, NONE, NONE);
        List<Integer> lost = new ArrayList<>();
        agent.start(
                new AgentListener() {
                    @Override
                    public void onRequest(int from, Message request, ReplySink replies) {}

                    @Override
                    public void onPeerLost(int peer, RpcException reason) {
                        lost.add(peer);
                    }
                });
        send(0);
        assertEquals(List.of(), new ArrayList<>(ends));
        var reason = new RpcConnectionException("killed");
        fake.listener().onPeerLost(2, reason);
        assertEquals(List.of(), new ArrayList<>(ends));
        fake.listener().onPeerLost(1, reason);
        assertEquals(reason, end());
        assertEquals(List.of(2, 1), lost);
    }

    @Test
    void lostRequestEndsWhenTheAgentIsClosed() throws Exception {
        lose(ALL, NONE, NONE);
        send(0);
        agent.close();
        assertEquals(RpcErrorKind.SHUTDOWN, assertInstanceOf(RpcException.class, end()).kind());
    }

    @Test
    void requestOfAClosedAgentFails() throws Exception {
        lose(ALL, NONE, NONE);
        agent.close();
        send(0);
        assertEquals(RpcErrorKind.SHUTDOWN, assertInstanceOf(RpcException.class, end()).kind());
    }

    @Test
    void typeWithoutAShareIsUnaffected() throws Exception {
        lose(ValuesByMessageType.of(Map.of(MessageTypes.SCRIPT_CALL, 1.0)), NONE, NONE);
        send(LATE);
        Sent request = sent();
        assertNotNull(request);
        Message reply = reply();
        request.handler().onReply(reply);
        assertEquals(reply, end());
    }
}
