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

/** What waits for peers that do not read. */
class OutboxTest {
    private static final long HEAP = 1024 * 1024;
    private static final int MAX_FRAME = 1024;

    private final SendBudget budget = new SendBudget(HEAP);
    private final AtomicInteger released = new AtomicInteger();
    private final Outbox.Events events =
            new Outbox.Events() {
                @Override
                public void onWaiting() {}

                @Override
                public void onFailed(Outgoing message, RpcException failure) {}

                @Override
                public void onBroken(String reason) {}
            };

    /** One whose log takes nothing. */
    private Outbox outbox() {
        return new Outbox(MAX_FRAME, Long.MAX_VALUE, budget, events);
    }

    private Outgoing message(Outbox to, int payload, long timeoutNanos) {
        var message =
                new Message(
                        MessageTypes.SCRIPT_RET,
                        new byte[payload],
                        List.of(),
                        released::incrementAndGet);
        return new Outgoing(message, false, 1, 0, timeoutNanos, to.newTransfer(), Long.MAX_VALUE);
    }

    /** {@return how many messages of one byte an outbox lets wait} */
    private int fill(Outbox outbox) {
        for (int count = 0; ; count++) {
            try {
                outbox.send(message(outbox, 1, 0));
            } catch (RpcException e) {
                assertEquals(RpcErrorKind.REFUSED, e.kind());
                assertTrue(String.valueOf(e.getMessage()).contains("of heap for this peer"));
                return count;
            }
        }
    }

    @Test
    void smallMessagesThatWaitCountWithTheObjectsTheyAreMadeOf() {
        Outbox outbox = outbox();
        assertEquals(HEAP / 2 / (Outbox.MESSAGE_HEAP_BYTES + 1), fill(outbox));
        assertTrue(budget.totalBytes() <= HEAP / 2);
        outbox.close();
        assertEquals(0, budget.totalBytes());
    }

    @Test
    void aPeerThatReadsNothingLeavesHalfToOthers() {
        Outbox deaf = outbox();
        int most = fill(deaf);
        Outbox second = outbox();
        assertEquals(most, fill(second));
        Outbox third = outbox();
        third.send(message(third, 1, 0)); // one always may wait
        deaf.close();
        assertEquals(most - 1, fill(third));
        second.close();
        third.close();
        assertEquals(0, budget.totalBytes());
    }

    @Test
    void messagesWhoseTimeIsUpAreReleasedAndCountNoMore() {
        Outbox outbox = outbox();
        for (int i = 0; i < 100; i++) {
            outbox.send(message(outbox, 1, i % 2 == 0 ? 10 : 0));
        }
        outbox.expire(9);
        assertEquals(0, released.get());
        outbox.expire(10);
        assertEquals(50, released.get());
        assertEquals(50 * (Outbox.MESSAGE_HEAP_BYTES + 1), budget.totalBytes());
        assertEquals(50, outbox.queuedBytes());
        outbox.close();
        assertEquals(100, released.get());
        assertThrows(RpcException.class, () -> outbox.send(message(outbox, 1, 0)));
    }
}
