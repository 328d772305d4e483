package org.gradwire.runtime.wire;

import org.gradwire.spi.Message;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a message. The payload is one byte of flags, the body, and the headers of interceptors,
 * each followed by a footer:
 *
 * <pre>
 * flags:1  body  (header  start-of-header:4  type-of-message-inside:4)*
 * </pre>
 *
 * <p>Numbers are encoded by {@link WireNumbers}. Headers come last because an interceptor decides
 * by the encoded body whether to add one. Confined to one thread.
 */
public final class WireOutput implements Output {
    /** Flag: the body contains values whose decoding may run user code. */
    static final int HEAVY = 1;

    private static final int FIRST_BYTES = 256;
    private static final int MOST_KEPT_BYTES = 1 << 20;
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8; // of an array

    static final int FOOTER_BYTES = 2 * Integer.BYTES;
    static final int MAX_DEPTH = 64;

    private final Values values;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int position;
    private int destination;
    private boolean reply;
    private int depth;
    private boolean heavy;
    private boolean addressed;
    private final List<MemorySegment> buffers = new ArrayList<>();
    private List<Runnable> releases = List.of();
    private List<Runnable> aborts = List.of();
    private final Attachments attachments = new Attachments();

    WireOutput(Values values) {
        this.values = values;
    }

    /** Begin the next message. */
    WireOutput begin(int newDestination, boolean isReply) {
        bytes[0] = 0;
        position = 1;
        destination = newDestination;
        reply = isReply;
        depth = 0;
        heavy = false;
        addressed = false;
        return this;
    }

    /**
     * Release the state of the last message.
     *
     * @return whether this output is worth pooling
     */
    boolean reset() {
        buffers.clear();
        releases = List.of();
        aborts = List.of();
        attachments.clear();
        return bytes.length <= MOST_KEPT_BYTES;
    }

    /** {@return the length of the payload so far} */
    public int position() {
        return position;
    }

    /** End the header that began at a position, around a message of a type. */
    public void writeFooter(int start, int innerType) {
        int at = reserve(FOOTER_BYTES);
        WireNumbers.writeFixedInt(start, bytes, at);
        WireNumbers.writeFixedInt(innerType, bytes, at + Integer.BYTES);
    }

    /** Discard all bytes after a position. */
    public void truncate(int to) {
        position = to;
    }

    /** Reserve room for bytes; {@return their position} */
    private int reserve(int count) {
        int at = position;
        if (count > bytes.length - at) {
            grow((long) at + count);
        }
        position = at + count;
        return at;
    }

    private void grow(long needed) {
        if (needed > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "the values take more than %d bytes in a message; pass arrays of primitives or tensors, which are sent as buffers, or several messages"
                            .formatted(MOST_BYTES));
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(2 * needed, MOST_BYTES));
    }

    /** Finish the message. The output may be used for another one afterwards. */
    public Message toMessage(int type) {
        if (heavy) {
            bytes[0] = HEAVY;
        }
        byte[] payload = Arrays.copyOf(bytes, position);
        return new Message(type, payload, allBuffers(), releaseAll());
    }

    private List<MemorySegment> allBuffers() {
        return switch (buffers.size()) {
            case 0 -> List.of();
            case 1 -> List.of(buffers.get(0)); // the common case; a copy takes another array
            case 2 -> List.of(buffers.get(0), buffers.get(1));
            default -> List.copyOf(buffers);
        };
    }

    private @Nullable Runnable releaseAll() {
        List<Runnable> all = releases;
        return all.isEmpty() ? null : () -> all.forEach(Runnable::run);
    }

    /** Revert side effects of encoding: the message is not sent. */
    public void abort() {
        releases.forEach(Runnable::run);
        aborts.forEach(Runnable::run);
    }

    /**
     * {@return an action that reverts side effects of the encoding, for a message that is not
     * delivered; null if there are none}
     */
    public @Nullable Runnable undo() {
        List<Runnable> all = aborts;
        return all.isEmpty() ? null : () -> all.forEach(Runnable::run);
    }

    /** Register an action that reverts a side effect of the encoding. */
    public void onAbort(Runnable undo) {
        if (aborts.isEmpty()) {
            aborts = new ArrayList<>(2);
        }
        aborts.add(undo);
    }

    @Override
    public void writeBoolean(boolean value) {
        writeInt(value ? 1 : 0);
    }

    @Override
    public void writeInt(int value) {
        writeLong(value);
    }

    @Override
    public void writeLong(long value) {
        int at = reserve(WireNumbers.MOST_BYTES);
        position = WireNumbers.write(value, bytes, at);
    }

    @Override
    public void writeFloat(float value) {
        int at = reserve(Float.BYTES);
        WireNumbers.writeFixedInt(Float.floatToRawIntBits(value), bytes, at);
    }

    @Override
    public void writeDouble(double value) {
        int at = reserve(Double.BYTES);
        WireNumbers.writeFixedLong(Double.doubleToRawLongBits(value), bytes, at);
    }

    @Override
    public void writeString(String value) {
        writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void writeBytes(byte[] value) {
        writeInt(value.length);
        int at = reserve(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    @Override
    public void writeValue(@Nullable Object value) {
        if (++depth > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "the value is nested deeper than " + MAX_DEPTH + "; is there a cycle in it?");
        }
        values.write(value, this);
        depth--;
    }

    /** {@return whether the content depends on the receiver, as a reference does} */
    public boolean isAddressed() {
        return addressed;
    }

    /** Mark the body for the receiver: its decoding may run user code. */
    public void markHeavy() {
        heavy = true;
    }

    /** {@return whether an installed codec writes a value} */
    public boolean isCoded(Object value) {
        return values.isCoded(value);
    }

    /** {@return whether a method reference bound to a value may be sent with it} */
    public boolean isBindable(Object value) {
        return values.isBindable(value);
    }

    @Override
    public void writeBuffer(MemorySegment buffer, @Nullable Runnable onRelease) {
        buffers.add(buffer);
        if (onRelease != null) {
            if (releases.isEmpty()) {
                releases = new ArrayList<>(4);
            }
            releases.add(onRelease);
        }
    }

    @Override
    public int destination() {
        addressed = true;
        return destination;
    }

    @Override
    public boolean isReply() {
        return reply;
    }

    @Override
    public <T> void attach(Class<T> kind, T object) {
        attachments.add(kind, object);
    }

    @Override
    public <T> List<T> attached(Class<T> kind) {
        return attachments.of(kind);
    }
}
