package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.frame.BufferEntry;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Memory grows with the arrived bytes, regardless of the announced length. */
class InboundMessageTest {
    private static final long MIB = 1024 * 1024;
    private static final long LARGEST = 1L << 31;

    private final ReceiveBudget budget = new ReceiveBudget(2 * LARGEST, 2 * LARGEST);
    private final ReceiveBudget.Account account = new ReceiveBudget.Account();
    private long held; // bytes of buffers

    private final BufferAllocator counting =
            (kind, bytes) -> {
                held += bytes;
                return BufferAllocator.plain().allocate(kind, bytes);
            };

    private InboundMessage begin(int payload, int buffers, long body) {
        var head = new MessageHead(1, World.REQUEST, payload, buffers, 0, 7, body);
        var message =
                new InboundMessage(
                        head, new MessageLimits(LARGEST), counting, budget.claim(account));
        message.begin();
        return message;
    }

    private static void append(InboundMessage message, byte[] bytes, int offset, int length) {
        var from = new UnsafeBuffer(ByteBuffer.allocateDirect(Math.max(1, length)));
        from.putBytes(0, bytes, offset, length);
        message.append(from, 0, length);
    }

    private static byte[] table(ElementKind kind, long... lengths) {
        ByteBuffer table =
                ByteBuffer.allocate(lengths.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long length : lengths) {
            table.putLong(BufferEntry.of(kind, length, false));
        }
        return table.array();
    }

    @Test
    void announcementsOfTwoGibibytesTakeAtMostTheFirstStepEach() {
        int payload = Integer.MAX_VALUE - 64;
        List<InboundMessage> messages = new ArrayList<>();
        for (int i = 1; i <= 64; i++) { // together more than any heap
            messages.add(begin(payload, 0, payload));
            assertEquals(i * InboundMessage.FIRST_STEP, budget.totalBytes());
        }
        messages.forEach(InboundMessage::release);
        assertEquals(0, budget.totalBytes());
    }

    @Test
    void anAnnouncedBufferTakesAtMostTheFirstStep() {
        for (ElementKind kind : ElementKind.values()) {
            held = 0;
            InboundMessage message = begin(0, 1, 8 + LARGEST - 64);
            append(message, table(kind, LARGEST - 64), 0, 8);
            assertTrue(held <= InboundMessage.FIRST_STEP + 8 * InboundMessage.GROWTH, kind.name());
            message.release();
        }
        assertEquals(0, budget.totalBytes());
    }

    @Test
    void memoryIsAtMostAMultipleOfWhatHasArrived() {
        int payload = 64 << 20;
        InboundMessage message = begin(payload, 0, payload);
        byte[] part = new byte[40_000];
        long arrived = 0;
        while (arrived + part.length < payload) {
            append(message, part, 0, part.length);
            arrived += part.length;
            assertTrue(
                    budget.totalBytes()
                            <= InboundMessage.FIRST_STEP + InboundMessage.GROWTH * arrived);
            assertTrue(budget.totalBytes() >= arrived);
        }
        message.release();
        assertEquals(0, budget.totalBytes());
    }

    @Test
    void whatGrewIsOneArrayOfTheRightKind() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        for (ElementKind kind : ElementKind.values()) {
            long[] lengths = new long[1 + random.nextInt(4)];
            long inline = 0;
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = random.nextLong(5 * MIB) / 8 * 8;
                inline += lengths[i];
            }
            byte[] payload = new byte[random.nextInt((int) (3 * MIB))];
            byte[] data = new byte[(int) inline];
            random.nextBytes(payload);
            random.nextBytes(data);
            assertMessage(
                    arrive(random, kind, lengths, payload, data), kind, lengths, payload, data);
        }
        assertEquals(0, budget.totalBytes());
    }

    private Message arrive(
            Random random, ElementKind kind, long[] lengths, byte[] payload, byte[] data) {
        byte[] table = table(kind, lengths);
        ByteBuffer body = ByteBuffer.allocate(table.length + payload.length + data.length);
        body.put(table).put(payload).put(data);
        InboundMessage message = begin(payload.length, lengths.length, body.capacity());
        int position = 0;
        while (position < body.capacity()) {
            int part = Math.min(1 + random.nextInt(65_000), body.capacity() - position);
            append(message, body.array(), position, part);
            position += part;
        }
        assertTrue(message.isComplete());
        message.release();
        return message.toMessage();
    }

    private static void assertMessage(
            Message message, ElementKind kind, long[] lengths, byte[] payload, byte[] data) {
        assertArrayEquals(payload, message.payload());
        long position = 0;
        List<Long> received = new ArrayList<>();
        for (MemorySegment buffer : message.buffers()) {
            assertEquals(kind, ElementKind.of(buffer));
            MemorySegment expected =
                    MemorySegment.ofArray(data).asSlice(position, buffer.byteSize());
            assertEquals(-1, expected.mismatch(buffer));
            position += buffer.byteSize();
            received.add(buffer.byteSize());
        }
        assertEquals(java.util.Arrays.stream(lengths).boxed().toList(), received);
    }

    @Test
    void whatAPeerMayNotHoldIsRefusedWhenItArrives() {
        var small = new ReceiveBudget(8 * MIB, 2 * LARGEST);
        int payload = (int) (6 * MIB);
        var head = new MessageHead(1, World.REQUEST, payload, 0, 0, 7, payload);
        var message =
                new InboundMessage(
                        head,
                        new MessageLimits(LARGEST),
                        BufferAllocator.plain(),
                        small.claim(account));
        message.begin();
        byte[] part = new byte[(int) MIB];
        append(message, part, 0, part.length);
        var refusal =
                assertThrows(DecodingException.class, () -> append(message, part, 0, part.length));
        String text = String.valueOf(refusal.getMessage());
        assertTrue(text.contains("gradwire.tensorpipe.receive-bytes=8388608"), text);
        message.release();
        assertEquals(0, small.totalBytes());
        assertEquals(0, account.bytes());
    }

    @Test
    void nativeBuffersStayAligned() {
        InboundMessage message = begin(0, 1, 8 + 3 * MIB);
        append(message, table(ElementKind.RAW, 3 * MIB), 0, 8);
        append(message, new byte[(int) (3 * MIB)], 0, (int) (3 * MIB));
        MemorySegment buffer = message.toMessage().buffers().getFirst();
        assertTrue(buffer.isNative());
        assertEquals(0, buffer.get(ValueLayout.JAVA_LONG, 0));
    }
}
