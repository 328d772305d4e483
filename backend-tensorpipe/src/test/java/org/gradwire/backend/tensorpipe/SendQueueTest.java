package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Messages that wait for peers that do not read. */
class SendQueueTest {
    private static final long HEAP = 1024 * 1024;
    private static final int MAX_FRAME = 1024;

    private final SendBudget budget = new SendBudget(HEAP);
    private final AtomicInteger released = new AtomicInteger();
    private final SendQueue.Events events =
            new SendQueue.Events() {
                @Override
                public void onWaiting() {}

                @Override
                public void onFailed(OutboundMessage message, RpcException failure) {}

                @Override
                public void onBroken(String reason) {}
            };

    /** A queue without a log. */
    private SendQueue sendQueue() {
        return new SendQueue(MAX_FRAME, Long.MAX_VALUE, budget, events);
    }

    private OutboundMessage message(SendQueue to, int payload, long timeoutNanos) {
        var message =
                new Message(
                        MessageTypes.SCRIPT_RET,
                        new byte[payload],
                        List.of(),
                        released::incrementAndGet);
        return new OutboundMessage(
                message, false, 1, 0, timeoutNanos, to.newTransfer(), Long.MAX_VALUE);
    }

    /** {@return the number of one-byte messages that a send queue accepts} */
    private int fill(SendQueue sendQueue) {
        for (int count = 0; ; count++) {
            try {
                sendQueue.send(message(sendQueue, 1, 0));
            } catch (RpcException e) {
                assertEquals(RpcErrorKind.REFUSED, e.kind());
                assertTrue(String.valueOf(e.getMessage()).contains("of heap for this peer"));
                return count;
            }
        }
    }

    @Test
    void smallMessagesThatWaitCountWithTheObjectsTheyAreMadeOf() {
        SendQueue sendQueue = sendQueue();
        assertEquals(HEAP / 2 / (SendBacklog.MESSAGE_HEAP_BYTES + 1), fill(sendQueue));
        assertTrue(budget.totalBytes() <= HEAP / 2);
        sendQueue.close();
        assertEquals(0, budget.totalBytes());
    }

    @Test
    void aPeerThatReadsNothingLeavesHalfToOthers() {
        SendQueue deaf = sendQueue();
        int most = fill(deaf);
        SendQueue second = sendQueue();
        assertEquals(most, fill(second));
        SendQueue third = sendQueue();
        third.send(message(third, 1, 0)); // one message may always wait
        deaf.close();
        assertEquals(most - 1, fill(third));
        second.close();
        third.close();
        assertEquals(0, budget.totalBytes());
    }

    @Test
    void messagesWhoseTimeIsUpAreReleasedAndCountNoMore() {
        SendQueue sendQueue = sendQueue();
        for (int i = 0; i < 100; i++) {
            sendQueue.send(message(sendQueue, 1, i % 2 == 0 ? 10 : 0));
        }
        sendQueue.expire(9);
        assertEquals(0, released.get());
        sendQueue.expire(10);
        assertEquals(50, released.get());
        assertEquals(50 * (SendBacklog.MESSAGE_HEAP_BYTES + 1), budget.totalBytes());
        assertEquals(50, sendQueue.queuedBytes());
        sendQueue.close();
        assertEquals(100, released.get());
        assertThrows(RpcException.class, () -> sendQueue.send(message(sendQueue, 1, 0)));
    }
}
