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
 * A message in the making. The payload is one byte of flags, the body, and the headers of
 * interceptors, each followed by a footer:
 *
 * <pre>
 * flags:1  body  (header  start-of-header:4  type-of-message-inside:4)*
 * </pre>
 *
 * <p>Numbers have the forms of {@link WireNumbers}. Headers come last because only the encoded body
 * tells an interceptor whether it has something to say.
 */
public final class WireOutput implements Output {
    /** The body holds values whose decoding may run user code. */
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
    private final Notes notes = new Notes();

    WireOutput(Values values) {
        this.values = values;
    }

    /** Begin another message. */
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
     * Let go of what belongs to the last message.
     *
     * @return whether this output is worth keeping for another one
     */
    boolean reset() {
        buffers.clear();
        releases = List.of();
        aborts = List.of();
        notes.clear();
        return bytes.length <= MOST_KEPT_BYTES;
    }

    /** {@return the length of the payload so far} */
    public int position() {
        return position;
    }

    /** Close the header that began at a position, around a message of a type. */
    public void writeFooter(int start, int innerType) {
        int at = reserve(FOOTER_BYTES);
        WireNumbers.writeFixedInt(start, bytes, at);
        WireNumbers.writeFixedInt(innerType, bytes, at + Integer.BYTES);
    }

    /** Take back what was written since a position. */
    public void truncate(int to) {
        position = to;
    }

    /** Make room for bytes, and return where they are to be written. */
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
                    "the values take more than %d bytes in a message; pass arrays of primitives or tensors, which travel beside it, or several messages"
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
            case 1 -> List.of(buffers.get(0)); // as nearly all have; a copy takes an array more
            case 2 -> List.of(buffers.get(0), buffers.get(1));
            default -> List.copyOf(buffers);
        };
    }

    private @Nullable Runnable releaseAll() {
        List<Runnable> all = releases;
        return all.isEmpty() ? null : () -> all.forEach(Runnable::run);
    }

    /** Undo what encoding did outside the message, since it will not be sent. */
    public void abort() {
        releases.forEach(Runnable::run);
        aborts.forEach(Runnable::run);
    }

    /**
     * {@return what undoes the effects of encoding, for a message that turns out not to have
     * reached its receiver; null when nothing needs it}
     */
    public @Nullable Runnable undo() {
        List<Runnable> all = aborts;
        return all.isEmpty() ? null : () -> all.forEach(Runnable::run);
    }

    /** Register what undoes an effect of encoding outside the message. */
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

    /** {@return whether what was written depends on the receiver, as a reference does} */
    public boolean isAddressed() {
        return addressed;
    }

    /** Tell the receiver that decoding the body may run user code. */
    public void markHeavy() {
        heavy = true;
    }

    /** {@return whether a codec of its own writes a value} */
    public boolean isCoded(Object value) {
        return values.isCoded(value);
    }

    /** {@return whether a method reference that is bound to a value may be sent with it} */
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
    public <T> void note(Class<T> kind, T object) {
        notes.add(kind, object);
    }

    @Override
    public <T> List<T> noted(Class<T> kind) {
        return notes.of(kind);
    }
}
