package org.gradwire.runtime.wire;

import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.FutureFailures;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Reads a message, or a part of one; {@link WireOutput} has the format. Confined to one thread. */
public final class WireInput implements Input {
    /**
     * Limit of messages that may be read on a poller; longer ones take long, whatever they contain.
     */
    private static final int MOST_LIGHT_BYTES = 1 << 16;

    private static final long STRING_BYTES = 40;
    private static final long ARRAY_BYTES = 16;

    private final Values values;
    private final int source;
    private final byte[] payload;
    private final int end;
    private final List<MemorySegment> buffers;
    private final Attachments attachments;
    private final DecodingBudget budget;
    private boolean runsOnPoller;
    private int position;
    private int nextBuffer;
    private byte depth;

    WireInput(
            Values values,
            int source,
            byte[] payload,
            int from,
            int to,
            List<MemorySegment> buffers,
            Attachments attachments,
            DecodingBudget budget) {
        this.values = values;
        this.source = source;
        this.payload = payload;
        this.position = from;
        this.end = to;
        this.buffers = buffers;
        this.attachments = attachments;
        this.budget = budget;
    }

    DecodingBudget budget() {
        return budget;
    }

    /** Reject values whose decoding may run user code: this is read on a poller. */
    public void refuseHeavy() {
        runsOnPoller = true;
    }

    /** {@return whether the message has buffers in addition to its payload} */
    public boolean hasBuffers() {
        return !buffers.isEmpty();
    }

    /** {@return the bytes of buffers on the heap} */
    long heapBufferBytes() {
        long bytes = 0;
        for (int i = 0; i < buffers.size(); i++) { // no iterator: on the hot path
            MemorySegment buffer = buffers.get(i);
            bytes += buffer.isNative() ? 0 : buffer.byteSize();
        }
        return bytes;
    }

    /** {@return whether the decoding of a message may take long or run user code, by its flags} */
    public static boolean isHeavy(Message message) {
        byte[] payload = message.payload();
        return payload.length == 0
                || payload.length > MOST_LIGHT_BYTES
                || (payload[0] & WireOutput.HEAVY) != 0;
    }

    @Override
    public boolean readBoolean() {
        return switch (readInt()) {
            case 0 -> false;
            case 1 -> true;
            default -> throw new DecodingException("a boolean is neither 0 nor 1");
        };
    }

    @Override
    public int readInt() {
        return WireNumbers.readInt(payload, take(WireNumbers.intBytes(nextByte())));
    }

    @Override
    public void charge(long heapBytes) {
        budget.allocate(heapBytes);
    }

    @Override
    public long readLong() {
        return WireNumbers.readLong(payload, take(WireNumbers.longBytes(nextByte())));
    }

    /** {@return the next byte, without consuming it; -1 at the end} */
    private int nextByte() {
        return position == end ? -1 : payload[position] & 0xff;
    }

    @Override
    public float readFloat() {
        return Float.intBitsToFloat(WireNumbers.readFixedInt(payload, take(Float.BYTES)));
    }

    @Override
    public double readDouble() {
        return Double.longBitsToDouble(WireNumbers.readFixedLong(payload, take(Double.BYTES)));
    }

    @Override
    public String readString() {
        int length = readCount(remaining());
        return decode(take(length), length);
    }

    /** Read a string that occurs in many messages. */
    public String readName() {
        int length = readCount(remaining());
        int from = take(length);
        String known = values.names().find(payload, from, length);
        return known != null ? known : values.names().add(decode(from, length));
    }

    private String decode(int from, int length) {
        budget.allocate(STRING_BYTES + length);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload, from, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new DecodingException("a string of " + length + " bytes is not UTF-8", e);
        }
    }

    @Override
    public byte[] readBytes() {
        int length = readCount(remaining());
        int from = take(length);
        budget.allocate(ARRAY_BYTES + length);
        return Arrays.copyOfRange(payload, from, from + length);
    }

    /** Decode a value; a failure of its type's code counts as a failure of the message. */
    @Override
    public @Nullable Object readValue() {
        if (++depth > WireOutput.MAX_DEPTH) {
            throw new DecodingException("a value is nested deeper than " + WireOutput.MAX_DEPTH);
        }
        try {
            return values.read(this);
        } catch (RpcException | VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            throw new DecodingException(
                    "a value cannot be created: " + FutureFailures.printed(e), e);
        } finally {
            depth--;
        }
    }

    /** Declare that a value follows whose decoding may run user code. */
    public void heavyFollows(String what) {
        if (runsOnPoller) {
            throw new DecodingException(
                    what + " in a message that claims to hold none of its kind");
        }
    }

    @Override
    public MemorySegment readBuffer() {
        if (nextBuffer == buffers.size()) {
            throw new DecodingException(
                    "the message has " + nextBuffer + " buffers, but another one is needed");
        }
        return buffers.get(nextBuffer++);
    }

    @Override
    public int remaining() {
        return end - position;
    }

    @Override
    public int source() {
        return source;
    }

    @Override
    public <T> void attach(Class<T> kind, T object) {
        attachments.add(kind, object);
    }

    @Override
    public <T> List<T> attached(Class<T> kind) {
        return attachments.of(kind);
    }

    /** Consume bytes; {@return their position} */
    private int take(int count) {
        if (remaining() < count) {
            throw new DecodingException(
                    "the message ends " + (count - remaining()) + " bytes too early");
        }
        int from = position;
        position += count;
        return from;
    }
}
