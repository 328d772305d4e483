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
 * A message being put together from the bytes that follow its header, straight into the memory in
 * which it will stay.
 *
 * <p>Memory is taken in steps, as bytes arrive: at any time at most {@link #FIRST_STEP} bytes and
 * {@link #GROWTH} times what has arrived, whatever lengths were announced. Memory for a buffer is
 * taken when all bytes before it have arrived. Used by the loop.
 */
final class IncomingMessage {
    /** The most memory that is taken for bytes of which none has arrived. */
    static final long FIRST_STEP = 1024 * 1024;

    /** How many times what has arrived may be taken beyond that. */
    static final long GROWTH = 8;

    /** The largest part of a buffer that is read at once into its own memory. */
    private static final long MOST_READ_AT_ONCE = 1024 * 1024;

    /** What larger announcements count as. No such message ever arrives as a whole. */
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
    private @Nullable MemorySegment table;
    private byte[] payload = {};

    private MemorySegment target; // of the part that is arriving
    private ElementKind kind = ElementKind.BYTE;
    private long length; // that the target will have
    private long position;
    private int part; // 0 the table, 1 the payload, then the buffers
    private long arrived;
    private long left; // of the message, as far as it is known

    /** Create one for which no memory is taken yet. */
    IncomingMessage(
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
        left = length + header.payloadLength();
        target = NOTHING;
    }

    FrameHeader header() {
        return header;
    }

    boolean isComplete() {
        return left == 0;
    }

    /** {@return how many bytes of it are still to come, as far as that is known} */
    long left() {
        return left;
    }

    /** Charge nothing for it any more: it is handed in, or given up. */
    void release() {
        claim.release();
    }

    /**
     * Take the next bytes of it.
     *
     * @throws DecodingException when the table is wrong
     * @throws org.gradwire.rpc.RpcException when there is no room for it
     */
    void take(ByteBuf from) {
        while (from.isReadable() && left > 0) {
            long room = target.byteSize() - position;
            int bytes = (int) Math.min(Math.min(room, from.readableBytes()), Integer.MAX_VALUE);
            ByteBuffer source = from.nioBuffer(from.readerIndex(), bytes);
            MemorySegment.copy(MemorySegment.ofBuffer(source), 0, target, position, bytes);
            from.skipBytes(bytes);
            advance(bytes);
        }
    }

    /**
     * Take the first memory; to be called once.
     *
     * @throws org.gradwire.rpc.RpcException when there is no room for it
     */
    void begin() {
        nextParts();
        growIfFull();
    }

    /**
     * {@return memory for the next bytes, if they are best read without a copy: a part of a large
     * native buffer}
     */
    @Nullable ByteBuffer directTarget() {
        long room = target.byteSize() - position;
        boolean isDirect = part > 1 && target.isNative() && room >= LEAST_READ_DIRECTLY;
        return isDirect
                ? target.asSlice(position, Math.min(room, MOST_READ_AT_ONCE)).asByteBuffer()
                : null;
    }

    /** Go on behind bytes that have arrived in the target. */
    void advance(int bytes) {
        position += bytes;
        arrived += bytes;
        left -= bytes;
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
                left += lengthOfBuffers(target);
                requireWithin(left);
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
            sum = Math.min(sum, MOST_ANNOUNCED); // 65,536 times 2^48 is more than a long holds
        }
        return sum;
    }

    private void requireWithin(long bytes) {
        if (bytes > maxMessageBytes) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "a message of %d bytes; %s=%d"
                            .formatted(bytes, Keys.MAX_MESSAGE_BYTES, maxMessageBytes));
        }
    }

    /** Take as much of the target's memory as the bytes that have arrived permit. */
    private void growIfFull() {
        if (position < target.byteSize() || position == length) {
            return;
        }
        long most = position + FIRST_STEP + (GROWTH - 1) * arrived;
        long capacity = most < length ? most & -Long.BYTES : length;
        if (part > 0) { // the table is bounded by itself
            claim.add(capacity - target.byteSize(), part == 1 || kind != ElementKind.RAW);
        }
        MemorySegment larger =
                part <= 1
                        ? MemorySegment.ofArray(new byte[(int) capacity])
                        : allocator.allocate(kind, capacity);
        MemorySegment.copy(target, 0, larger, 0, position);
        target = larger;
    }

    /** {@return the message, once it is complete} */
    Message toMessage() {
        return new Message(header.type(), payload, buffers);
    }
}
