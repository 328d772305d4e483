package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A message is independent of how its bytes are split; its memory grows as they arrive. */
class InboundMessageTest {
    private static final int MIB = 1024 * 1024;
    private static final long LARGEST = 1L << 31;
    private static final int[] SIZES = {
        0, 8, 4096, MIB - 8, MIB, MIB + 8, 2 * MIB, 9 * MIB, 9 * MIB + 8
    };

    private final ReceiveBudget budget = new ReceiveBudget(4 * LARGEST);
    private final ReceiveBudget.Account account = new ReceiveBudget.Account();
    private long allocated; // of buffers

    private final BufferAllocator counting =
            (kind, bytes) -> {
                allocated += bytes;
                return BufferAllocator.plain().allocate(kind, bytes);
            };

    private InboundMessage begin(int payload, int buffers) {
        var header =
                new FrameHeader(FrameHeader.Kind.REQUEST, payload, 7, TestGroup.REQUEST, buffers);
        var message = new InboundMessage(header, LARGEST, counting, budget.claim(account));
        message.begin();
        return message;
    }

    private static Message random(Random random) {
        byte[] payload = new byte[SIZES[random.nextInt(SIZES.length)]];
        random.nextBytes(payload);
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            ElementKind kind = ElementKind.ofCode(random.nextInt(ElementKind.values().length));
            byte[] content = new byte[SIZES[random.nextInt(SIZES.length)]];
            random.nextBytes(content);
            MemorySegment buffer = BufferAllocator.plain().allocate(kind, content.length);
            buffers.add(buffer.copyFrom(MemorySegment.ofArray(content)));
        }
        return new Message(TestGroup.REQUEST, payload, buffers);
    }

    /** {@return the bytes of a message after its header} */
    private static ByteBuffer body(Message message) {
        int table = message.buffers().size() * BufferEntry.BYTES;
        ByteBuffer body =
                ByteBuffer.allocate(table + (int) message.byteSize())
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (MemorySegment buffer : message.buffers()) {
            body.putLong(BufferEntry.of(ElementKind.of(buffer), buffer.byteSize()));
        }
        body.put(message.payload());
        for (MemorySegment buffer : message.buffers()) {
            MemorySegment rest = MemorySegment.ofBuffer(body);
            MemorySegment.copy(buffer, 0, rest, 0, buffer.byteSize());
            body.position(body.position() + (int) buffer.byteSize());
        }
        return body.flip();
    }

    /** {@return number of bytes that were read directly into the memory of the message} */
    private static long feed(InboundMessage message, ByteBuffer body, Random random) {
        long direct = 0;
        while (body.hasRemaining()) {
            int most = random.nextBoolean() ? 40 : MIB;
            int next = Math.min(1 + random.nextInt(most), body.remaining());
            ByteBuffer target = random.nextBoolean() ? message.directTarget() : null;
            if (target != null) {
                int count = Math.min(next, target.remaining());
                target.put(body.slice(body.position(), count));
                body.position(body.position() + count);
                message.advance(count);
                direct += count;
            } else {
                ByteBuf part = Unpooled.wrappedBuffer(body.slice(body.position(), next));
                message.read(part);
                assertEquals(0, part.readableBytes());
                body.position(body.position() + next);
            }
        }
        return direct;
    }

    private static void assertSame(Message expected, Message found) {
        assertEquals(expected.type(), found.type());
        assertArrayEquals(expected.payload(), found.payload());
        assertEquals(expected.buffers().size(), found.buffers().size());
        for (int i = 0; i < expected.buffers().size(); i++) {
            MemorySegment one = expected.buffers().get(i);
            MemorySegment other = found.buffers().get(i);
            assertEquals(ElementKind.of(one), ElementKind.of(other));
            assertEquals(one.byteSize(), other.byteSize());
            assertEquals(-1, one.mismatch(other), "first different byte of buffer " + i);
        }
    }

    @Test
    void randomMessagesAreIndependentOfTheirSplits() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("again: -Dseed=" + seed);
        var random = new Random(seed);
        long direct = 0;
        for (int i = 0; i < 60; i++) {
            Message sent = random(random);
            InboundMessage message = begin(sent.payload().length, sent.buffers().size());
            direct += feed(message, body(sent), random);
            assertTrue(message.isComplete());
            assertEquals(0, message.remaining());
            message.release();
            assertSame(sent, message.toMessage());
            assertEquals(0, budget.totalBytes());
        }
        assertTrue(direct > 0, "bytes were read without a copy");
    }

    @Test
    void bytesAfterAMessageAreNotRead() {
        InboundMessage message = begin(3, 0);
        ByteBuf bytes = Unpooled.wrappedBuffer(new byte[] {1, 2, 3, 4, 5});
        message.read(bytes);
        assertTrue(message.isComplete());
        assertEquals(2, bytes.readableBytes());
        assertArrayEquals(new byte[] {1, 2, 3}, message.toMessage().payload());
    }

    @Test
    void announcedLengthsAllocateAtMostTheFirstStep() {
        for (int i = 1; i <= 64; i++) { // together more than any heap
            begin(Integer.MAX_VALUE - 64, 0);
            assertEquals(i * InboundMessage.FIRST_STEP, budget.totalBytes());
        }
        for (ElementKind kind : ElementKind.values()) {
            allocated = 0;
            begin(0, 1).read(table(kind, LARGEST - 64));
            assertTrue(
                    allocated <= InboundMessage.FIRST_STEP + InboundMessage.GROWTH * 8,
                    kind.name());
        }
    }

    private static ByteBuf table(ElementKind kind, long... lengths) {
        ByteBuf table = Unpooled.buffer();
        for (long length : lengths) {
            table.writeLongLE(BufferEntry.of(kind, length));
        }
        return table;
    }

    @Test
    void aRefusedMessageKnowsItsRemainingBytes() {
        InboundMessage tooLarge = begin(10, 2);
        ByteBuf table = table(ElementKind.RAW, LARGEST, 8);
        var refused = assertThrows(RpcException.class, () -> tooLarge.read(table));
        assertEquals(RpcErrorKind.REFUSED, refused.kind());
        assertEquals(10 + LARGEST + 8, tooLarge.remaining());

        InboundMessage malformed = begin(0, 2);
        ByteBuf floats = table(ElementKind.FLOAT, 6, 8);
        assertThrows(DecodingException.class, () -> malformed.read(floats));
        assertEquals(14, malformed.remaining());
        tooLarge.release();
        malformed.release();
        assertEquals(0, budget.totalBytes());
    }

    @Test
    void lengthsWhoseSumOverflowsAreRefused() {
        for (int count : new int[] {32_768, 32_769, 40_000, FrameHeader.MAX_BUFFERS}) {
            InboundMessage message = begin(1, count);
            long[] lengths = new long[count];
            java.util.Arrays.fill(lengths, (1L << 48) - 1);
            ByteBuf table = table(ElementKind.RAW, lengths);
            var refused = assertThrows(RpcException.class, () -> message.read(table));
            assertEquals(RpcErrorKind.REFUSED, refused.kind());
            assertTrue(message.remaining() > LARGEST, count + " buffers");
            message.release();
        }
        assertEquals(0, budget.totalBytes());
        assertEquals(0, allocated);
    }
}
