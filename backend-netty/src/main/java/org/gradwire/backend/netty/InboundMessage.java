package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A message that is being assembled from the bytes after its header, directly in its final memory.
 *
 * <p>Memory is allocated in steps, as bytes arrive: at any time at most {@link #FIRST_STEP} bytes
 * and {@link #GROWTH} times the bytes that have arrived, regardless of the announced lengths.
 * Memory for a buffer is allocated when all bytes before it have arrived. Confined to the loop.
 */
final class InboundMessage {
    /** Limit of the memory allocated before any byte has arrived. */
    static final long FIRST_STEP = 1024 * 1024;

    /** Memory allocated in addition, as a multiple of the bytes that have arrived. */
    static final long GROWTH = 8;

    /** Limit of one read directly into a buffer. */
    private static final long MOST_READ_AT_ONCE = 256 * 1024;

    /** Ceiling of an announced length, against overflow; no such message arrives completely. */
    private static final long MOST_ANNOUNCED = 1L << 62;

    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);
    private static final int LEAST_READ_DIRECTLY = 16 * 1024;
    private static final ValueLayout.OfLong ENTRY =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final FrameHeader header;
    private final long maxMessageBytes;
    private final BufferAllocator allocator;
    private final ReceiveBudget.Claim claim;
    private final List<MemorySegment> buffers;
    private @Nullable MemorySegment table; // of buffers
    private byte[] payload = {};

    private MemorySegment target; // of the part that is arriving
    private ElementKind kind = ElementKind.BYTE;
    private long length; // that the target will have
    private long position;
    private int part; // 0 the table, 1 the payload, then the buffers
    private long arrived;
    private long remaining; // of the message, as far as it is known

    /** Create a message without memory. */
    InboundMessage(
            FrameHeader header,
            long maxMessageBytes,
            BufferAllocator allocator,
            ReceiveBudget.Claim claim) {
        this.header = header;
        this.maxMessageBytes = maxMessageBytes;
        this.allocator = allocator;
        this.claim = claim;
        buffers = new ArrayList<>(Math.min(header.bufferCount(), 16));
        length = (long) header.bufferCount() * BufferEntry.BYTES;
        remaining = length + header.payloadLength();
        target = NOTHING;
    }

    FrameHeader header() {
        return header;
    }

    boolean isComplete() {
        return remaining == 0;
    }

    /** {@return number of bytes that have not arrived, as far as it is known} */
    long remaining() {
        return remaining;
    }

    /** Release the charged memory: the message is delivered or dropped. */
    void release() {
        claim.release();
    }

    /**
     * Read the next bytes of the message.
     *
     * @throws DecodingException when the table is malformed
     * @throws org.gradwire.rpc.RpcException when there is no room for it
     */
    void read(ByteBuf from) {
        while (from.isReadable() && remaining > 0) {
            long room = target.byteSize() - position;
            int bytes = (int) Math.min(Math.min(room, from.readableBytes()), Integer.MAX_VALUE);
            ByteBuffer source = from.nioBuffer(from.readerIndex(), bytes);
            MemorySegment.copy(MemorySegment.ofBuffer(source), 0, target, position, bytes);
            from.skipBytes(bytes);
            advance(bytes);
        }
    }

    /**
     * Allocate the first memory; called once.
     *
     * @throws org.gradwire.rpc.RpcException when there is no room for it
     */
    void begin() {
        nextParts();
        growIfFull();
    }

    /**
     * {@return memory for the next bytes, if they can be read without a copy into a large native
     * buffer; otherwise null}
     */
    @Nullable ByteBuffer directTarget() {
        long room = target.byteSize() - position;
        boolean isDirect = part > 1 && target.isNative() && room >= LEAST_READ_DIRECTLY;
        return isDirect
                ? target.asSlice(position, Math.min(room, MOST_READ_AT_ONCE)).asByteBuffer()
                : null;
    }

    /** Count bytes that have arrived in the target. */
    void advance(int bytes) {
        position += bytes;
        arrived += bytes;
        remaining -= bytes;
        nextParts();
        growIfFull();
    }

    private void nextParts() {
        while (position == length && part <= header.bufferCount() + 1) {
            endPart();
            part++;
            if (part <= header.bufferCount() + 1) {
                beginPart();
            }
        }
    }

    private void endPart() {
        switch (part) {
            case 0 -> {
                table = target;
                remaining += lengthOfBuffers(target);
                requireWithin(remaining);
            }
            case 1 -> payload = (byte[]) target.heapBase().orElseThrow();
            default -> buffers.add(target);
        }
    }

    private void beginPart() {
        if (part == 1) {
            length = header.payloadLength();
        } else {
            long entry = entry(part - 2);
            kind = BufferEntry.kind(entry);
            length = BufferEntry.length(entry);
        }
        position = 0;
        target = part > 1 && length == 0 ? allocator.allocate(kind, 0) : NOTHING;
    }

    private long entry(int index) {
        MemorySegment entries = table;
        if (entries == null) {
            throw new IllegalStateException("the table has not arrived");
        }
        return entries.get(ENTRY, (long) index * BufferEntry.BYTES);
    }

    private long lengthOfBuffers(MemorySegment entries) {
        long sum = 0;
        for (int i = 0; i < header.bufferCount(); i++) {
            sum += BufferEntry.length(entries.get(ENTRY, (long) i * BufferEntry.BYTES));
            sum = Math.min(sum, MOST_ANNOUNCED); // 65,536 times 2^48 overflows a long
        }
        return sum;
    }

    private void requireWithin(long bytes) {
        if (bytes > maxMessageBytes) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "a message of %d bytes; %s=%d"
                            .formatted(bytes, SettingKeys.MAX_MESSAGE_BYTES, maxMessageBytes));
        }
    }

    /** Allocate as much of the target as the number of arrived bytes permits. */
    private void growIfFull() {
        if (position < target.byteSize() || position == length) {
            return;
        }
        long most = position + FIRST_STEP + (GROWTH - 1) * arrived;
        long capacity = most < length ? most & -Long.BYTES : length;
        if (part > 0) { // the table has its own limit
            claim.add(capacity - target.byteSize(), part == 1 || kind != ElementKind.RAW);
        }
        MemorySegment larger =
                part <= 1
                        ? MemorySegment.ofArray(new byte[(int) capacity])
                        : allocator.allocate(kind, capacity);
        MemorySegment.copy(target, 0, larger, 0, position);
        target = larger;
    }

    /** {@return the message, which must be complete} */
    Message toMessage() {
        return new Message(header.type(), payload, buffers);
    }
}
