package org.gradwire.runtime.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The release of the memory of a message that is sent several times. */
class SharedMessageTest {
    private final AtomicInteger released = new AtomicInteger();
    private final byte[] payload = {1, 2};
    private final SharedMessage shared =
            new SharedMessage(
                    new Message(
                            MessageTypes.UDF_CALL, payload, List.of(), released::incrementAndGet));

    @Test
    void copiesHaveTheSameBytes() {
        Message copy = shared.copy();
        assertEquals(MessageTypes.UDF_CALL, copy.type());
        assertArrayEquals(payload, copy.payload());
        assertEquals(List.of(), copy.buffers());
    }

    @Test
    void theMemoryIsGivenBackOnceAndLast() {
        Message first = shared.copy();
        first.release();
        first.release(); // has no effect
        Message second = shared.copy();
        assertEquals(0, released.get());
        shared.release();
        assertEquals(0, released.get());
        second.release();
        assertEquals(1, released.get());
    }

    @Test
    void itsMakerMayBeLast() {
        shared.copy().release();
        assertEquals(0, released.get());
        shared.release();
        assertEquals(1, released.get());
    }
}
