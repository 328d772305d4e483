package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** Every added request ends exactly once, by the first of its events. */
class PendingCallsTest {
    private static final long MILLI = 1_000_000;

    /** Counts how a request ended. */
    private static final class Ending implements ReplyHandler {
        final AtomicInteger replies = new AtomicInteger();
        final AtomicInteger failures = new AtomicInteger();
        volatile @Nullable Object last;

        @Override
        public void onReply(Message reply) {
            last = reply;
            replies.incrementAndGet();
        }

        @Override
        public void onFailure(RuntimeException failure) {
            last = failure;
            failures.incrementAndGet();
        }

        int times() {
            return replies.get() + failures.get();
        }
    }

    private final PendingCalls calls = new PendingCalls(0);
    private final Ending ending = new Ending();

    private static Message reply() {
        return new Message(MessageTypes.SCRIPT_RET, new byte[] {1}, List.of());
    }

    @Test
    void aReplyEndsItsRequestAndNoOther() {
        var other = new Ending();
        long first = calls.add(1, 0, 0, ending);
        long second = calls.add(1, 0, 0, other);
        Message reply = reply();
        assertTrue(calls.complete(first, 1, reply));
        assertSame(reply, ending.last);
        assertEquals(0, other.times());
        assertEquals(1, calls.size());
        assertFalse(calls.complete(first, 1, reply), "the same reply again");
        assertTrue(calls.complete(second, 1, reply()));
        assertEquals(1, ending.times());
        assertEquals(0, calls.size());
    }

    @Test
    void aReplyFromAnotherWorkerThanWasAskedIsDropped() {
        long id = calls.add(1, 0, 0, ending);
        assertFalse(calls.complete(id, 2, reply()));
        assertEquals(0, ending.times());
        assertTrue(calls.complete(id, 1, reply()));
        assertEquals(1, ending.replies.get());
    }

    @Test
    void theDeadlineEndsARequestWithTheTextThatProgramsMatch() {
        calls.add(1, 200 * MILLI, 5 * MILLI, ending);
        assertEquals(0, calls.expire(205 * MILLI));
        assertEquals(1, calls.expire(209 * MILLI));
        var failure = assertInstanceOf(RpcTimeoutException.class, ending.last);
        assertEquals(
                "RPCErr:1:RPC ran for more than set timeout (200 ms) and will now be marked with an error",
                failure.getMessage());
        assertEquals(RpcErrorKind.TIMEOUT, failure.kind());
    }

    @Test
    void aReplyAfterTheDeadlineIsDropped() {
        long id = calls.add(1, MILLI, 0, ending);
        assertEquals(1, calls.expire(10 * MILLI));
        assertFalse(calls.complete(id, 1, reply()));
        assertEquals(1, ending.times());
    }

    @Test
    void anAnsweredRequestDoesNotExpire() {
        long id = calls.add(1, MILLI, 0, ending);
        assertTrue(calls.complete(id, 1, reply()));
        assertEquals(0, calls.expire(10_000 * MILLI));
        assertEquals(1, ending.times());
    }

    @Test
    void zeroAndHugeTimeoutsNeverPassAlsoWhenTheClockWraps() {
        long start = Long.MAX_VALUE - 50 * MILLI;
        var table = new PendingCalls(start);
        table.add(1, 0, start, ending);
        table.add(1, Long.MAX_VALUE, start + 10 * MILLI, ending);
        table.add(1, Long.MAX_VALUE, start + 100 * MILLI, ending);
        assertEquals(0, table.expire(start + 200 * MILLI));
        assertEquals(0, table.expire(start + 1_000_000_000_000L * MILLI));
        assertEquals(3, table.size());
    }

    @Test
    void theLossOfAPeerEndsItsRequestsOnly() {
        var other = new Ending();
        calls.add(1, 0, 0, ending);
        calls.add(2, 0, 0, other);
        calls.failPeer(1, () -> new RpcConnectionException("gone"));
        assertInstanceOf(RpcConnectionException.class, ending.last);
        assertEquals(0, other.times());
        assertEquals(1, calls.size());
    }

    @Test
    void eachRequestThatFailsWithOthersGetsAFailureOfItsOwn() {
        var other = new Ending();
        calls.add(1, 0, 0, ending);
        calls.add(2, 0, 0, other);
        calls.failAll(() -> new RpcException("closed"));
        assertNotSame(ending.last, other.last);
        assertEquals(0, calls.size());
    }

    @Test
    void aHandlerThatThrowsDoesNotKeepOthersFromTheirEnd() {
        ReplyHandler broken =
                new ReplyHandler() {
                    @Override
                    public void onReply(Message reply) {
                        throw new IllegalStateException("broken handler");
                    }

                    @Override
                    public void onFailure(RuntimeException failure) {
                        throw new IllegalStateException("broken handler");
                    }
                };
        List<Ending> endings = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(1, MILLI, 0, broken);
            endings.add(new Ending());
            calls.add(1, MILLI, 0, endings.get(i));
        }
        assertEquals(40, calls.expire(10 * MILLI));
        for (int i = 0; i < 20; i++) {
            calls.add(1, 0, 0, broken);
            endings.add(new Ending());
            calls.add(1, 0, 0, endings.getLast());
        }
        calls.failAll(() -> new RpcException("closed"));
        assertTrue(endings.stream().allMatch(each -> each.failures.get() == 1));
        assertEquals(0, calls.size());
    }

    @Test
    void theTextsOfAClosedAgentAreThoseThatProgramsMatch() {
        RpcException failure = PendingCalls.closed(3, MessageTypes.UDF_CALL);
        assertEquals(
                "Node 3 tried to send() a message of type UDF_CALL but RPC is no longer running on this node.",
                failure.getMessage());
        assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
    }

    @Test
    void lossHasTheTextProgramsMatch() {
        RpcConnectionException failure =
                PendingCalls.lost(new WorkerInfo(2, "worker2"), "it was killed");
        assertEquals(
                "Connection closed by peer WorkerInfo(id=2, name=worker2): it was killed",
                failure.getMessage());
    }

    @Property(tries = 20)
    void everyRequestEndsExactlyOnceWhenItsEndsRace(@ForAll long seed) throws Exception {
        int rounds = 200;
        var table = new PendingCalls(System.nanoTime());
        var endings = new Ending[rounds];
        var ids = new long[rounds];
        var barrier = new CyclicBarrier(5);
        var done = new CountDownLatch(5);
        for (int i = 0; i < rounds; i++) {
            endings[i] = new Ending();
        }
        List<Runnable> enders =
                List.of(
                        () -> table.expire(System.nanoTime() + 100 * MILLI),
                        () -> table.failPeer(1, () -> new RpcConnectionException("gone")),
                        () -> table.failAll(() -> new RpcException("closed")));
        var sent = new AtomicInteger(-1);
        for (int e = 0; e < 5; e++) {
            int role = e;
            var random = new Random(seed + e);
            Thread.ofPlatform()
                    .start(() -> {
                        try {
                            barrier.await();
                            for (int i = 0; i < rounds; i++) {
                                if (role == 0) {
                                    ids[i] =
                                            table.add(
                                                    1,
                                                    random.nextBoolean() ? MILLI : 0,
                                                    System.nanoTime(),
                                                    endings[i]);
                                    sent.set(i);
                                } else if (role == 1) {
                                    int known = sent.get();
                                    if (known >= 0) {
                                        table.complete(ids[random.nextInt(known + 1)], 1, reply());
                                    }
                                } else if (role == 2) {
                                    enders.get(0).run(); // one thread at a time may expire
                                } else {
                                    enders.get(1 + random.nextInt(2)).run();
                                }
                            }
                        } catch (Exception e1) {
                            throw new IllegalStateException(e1);
                        } finally {
                            done.countDown();
                        }
                    });
        }
        done.await();
        table.failAll(() -> new RpcException("closed"));
        for (Ending each : endings) {
            assertEquals(1, each.times());
        }
        assertEquals(0, table.size());
        assertEquals(0, table.expire(System.nanoTime() + 10_000 * MILLI), "a timer was left over");
    }
}
