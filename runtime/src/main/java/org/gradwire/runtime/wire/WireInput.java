package org.gradwire.runtime.wire;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.wire.BinaryWire;
import net.openhft.chronicle.wire.ValueIn;

import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.Failures;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A message, or a part of one, being read. See {@link WireOutput} for the layout. */
public final class WireInput implements Input {
    /** A longer message takes a while to read, whatever is in it. */
    private static final int MOST_LIGHT_BYTES = 1 << 16;

    private final Values values;
    private final int source;
    private final Bytes<?> bytes;
    private final ValueIn in;
    private final List<MemorySegment> buffers;
    private final Notes notes;
    private boolean light;
    private int nextBuffer;
    private int depth;

    WireInput(
            Values values,
            int source,
            byte[] payload,
            int from,
            int to,
            List<MemorySegment> buffers,
            Notes notes) {
        this.values = values;
        this.source = source;
        this.bytes = Bytes.wrapForRead(payload);
        // A message is handed on between threads, never used by two at a time.
        bytes.singleThreadedCheckDisabled(true);
        bytes.readPositionRemaining(from, to - from);
        this.in = new BinaryWire(bytes).getValueIn();
        this.buffers = buffers;
        this.notes = notes;
    }

    /** Refuse values whose decoding may run user code, because this is read on a poller. */
    public void refuseHeavy() {
        light = true;
    }

    /** {@return whether decoding a message may take long, or run user code, as its sender says} */
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
        need(WireNumbers.intBytes(bytes.peekUnsignedByte()));
        return in.int32();
    }

    @Override
    public long readLong() {
        need(WireNumbers.longBytes(bytes.peekUnsignedByte()));
        return in.int64();
    }

    @Override
    public float readFloat() {
        need(Float.BYTES);
        return bytes.readFloat();
    }

    @Override
    public double readDouble() {
        need(Double.BYTES);
        return bytes.readDouble();
    }

    @Override
    public String readString() {
        byte[] utf8 = readBytes();
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
        } catch (CharacterCodingException e) {
            throw new DecodingException("a string of " + utf8.length + " bytes is not UTF-8", e);
        }
    }

    @Override
    public byte[] readBytes() {
        byte[] content = new byte[readCount(remaining())];
        bytes.read(content);
        return content;
    }

    /** Making a value may run code of its type, whose failures are those of the message. */
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
            throw new DecodingException("a value cannot be made: " + Failures.printed(e), e);
        } finally {
            depth--;
        }
    }

    /** Say that a value follows whose decoding may run user code. */
    public void heavyFollows(String what) {
        if (light) {
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
        return (int) bytes.readRemaining();
    }

    @Override
    public int source() {
        return source;
    }

    @Override
    public <T> void note(Class<T> kind, T object) {
        notes.add(kind, object);
    }

    @Override
    public <T> List<T> noted(Class<T> kind) {
        return notes.of(kind);
    }

    private void need(int count) {
        if (remaining() < count) {
            throw new DecodingException(
                    "the message ends " + (count - remaining()) + " bytes too early");
        }
    }
}
