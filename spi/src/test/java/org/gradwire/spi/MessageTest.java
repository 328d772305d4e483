package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** A message returns its contents and is released once. */
class MessageTest {

    @Test
    void holdsWhatItWasGivenWithoutCopies() {
        byte[] payload = {1, 2, 3};
        List<MemorySegment> buffers =
                List.of(MemorySegment.ofArray(new float[4]), MemorySegment.ofArray(new byte[5]));
        var message = new Message(MessageTypes.UDF_CALL, payload, buffers);
        assertSame(payload, message.payload());
        assertSame(buffers, message.buffers());
        assertEquals(3 + 16 + 5, message.byteSize());
        assertEquals("Message(type=UDF_CALL, payload=3 bytes, buffers=2)", message.toString());
        message.release(); // has no release action
    }

    @Test
    void aCopyHasItsOwnMemory() {
        var floats = new float[] {1, 2};
        byte[] payload = {1, 2};
        var released = new AtomicInteger();
        MemorySegment slice = MemorySegment.ofArray(floats).asSlice(1, 5);
        var message =
                new Message(
                        MessageTypes.UDF_CALL,
                        payload,
                        List.of(MemorySegment.ofArray(floats), slice),
                        released::incrementAndGet);
        Message copy = message.copy(BufferAllocator.plain());
        byte[] part = slice.toArray(ValueLayout.JAVA_BYTE);
        payload[0] = 9;
        floats[0] = 9;
        copy.release();
        assertEquals(0, released.get());
        assertEquals(MessageTypes.UDF_CALL, copy.type());
        assertArrayEquals(new byte[] {1, 2}, copy.payload());
        MemorySegment first = copy.buffers().get(0);
        assertEquals(ElementKind.FLOAT, ElementKind.of(first));
        assertArrayEquals(new float[] {1, 2}, first.toArray(ValueLayout.JAVA_FLOAT));
        assertArrayEquals(part, copy.buffers().get(1).toArray(ValueLayout.JAVA_BYTE));
    }

    @RepeatedTest(50)
    void isReleasedOnceByHoweverManyThreads() throws Exception {
        var released = new AtomicInteger();
        var message =
                new Message(
                        MessageTypes.UDF_CALL, new byte[0], List.of(), released::incrementAndGet);
        var together = new CyclicBarrier(4);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    together.await();
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                                message.release();
                                message.release();
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(1, released.get());
    }
}
