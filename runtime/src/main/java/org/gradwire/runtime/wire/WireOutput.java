package org.gradwire.runtime.wire;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.wire.BinaryWire;
import net.openhft.chronicle.wire.ValueOut;

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
 * <p>Body and headers are fieldless binary wire. Headers come last because only the encoded body
 * tells an interceptor whether it has something to say.
 */
public final class WireOutput implements Output {
    /** The body holds values whose decoding may run user code. */
    static final int HEAVY = 1;

    private static final int MOST_KEPT_BYTES = 1 << 20;

    static final int FOOTER_BYTES = 2 * Integer.BYTES;
    static final int MAX_DEPTH = 64;

    static {
        ChronicleLogging.initialize();
    }

    private final Values values;
    private final Bytes<byte[]> bytes;
    private final ValueOut out;
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
        this.bytes = Bytes.allocateElasticOnHeap(256);
        bytes.singleThreadedCheckDisabled(true); // kept by the codec for one thread after another
        this.out = new BinaryWire(bytes).getValueOut();
    }

    /** Begin another message. */
    WireOutput begin(int newDestination, boolean isReply) {
        bytes.clear();
        bytes.writeUnsignedByte(0);
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
        return bytes.realCapacity() <= MOST_KEPT_BYTES;
    }

    /** {@return the length of the payload so far} */
    public int position() {
        return (int) bytes.writePosition();
    }

    /** Close the header that began at a position, around a message of a type. */
    public void writeFooter(int start, int innerType) {
        bytes.writeInt(start);
        bytes.writeInt(innerType);
    }

    /** Take back what was written since a position. */
    public void truncate(int position) {
        bytes.writePosition(position);
    }

    /** Finish the message. The output may be used for another one afterwards. */
    public Message toMessage(int type) {
        if (heavy) {
            bytes.writeUnsignedByte(0, HEAVY);
        }
        byte[] payload = Arrays.copyOf(bytes.underlyingObject(), position());
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
        if (WireNumbers.isSmall(value)) {
            bytes.writeByte((byte) value);
        } else {
            out.int32(value);
        }
    }

    @Override
    public void writeLong(long value) {
        if (WireNumbers.isSmall(value)) {
            bytes.writeByte((byte) value);
        } else {
            out.int64(value);
        }
    }

    @Override
    public void writeFloat(float value) {
        bytes.writeFloat(value);
    }

    @Override
    public void writeDouble(double value) {
        bytes.writeDouble(value);
    }

    @Override
    public void writeString(String value) {
        writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void writeBytes(byte[] value) {
        writeInt(value.length);
        int start = position();
        bytes.ensureCapacity((long) start + value.length);
        bytes.writeSkip(value.length);
        System.arraycopy(value, 0, bytes.underlyingObject(), start, value.length);
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
