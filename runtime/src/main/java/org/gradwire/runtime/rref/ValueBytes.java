package org.gradwire.runtime.rref;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.rref.SavedReferences.Saved;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Saves values to bytes and loads them; {@link ValueFile} is the format. Thread-safe. */
public final class ValueBytes {
    private static final int NO_TYPE = 0; // of no interceptor

    private final WireCodec codec;
    private final BufferAllocator allocator;
    private final SavedReferences references;

    public ValueBytes(WireCodec codec, BufferAllocator allocator, SavedReferences references) {
        this.codec = codec;
        this.allocator = allocator;
        this.references = references;
    }

    /** Write a value, and wait until the owners of the references in it know of the bytes. */
    public byte[] write(Object value) {
        WireOutput out = codec.begin(Output.NOWHERE, false);
        boolean done = false;
        try {
            out.writeValue(value);
            List<Saved> saved = out.attached(Saved.class);
            Message message = out.toMessage(NO_TYPE);
            byte[] bytes = ValueFile.bytesOf(message);
            done = true;
            message.release();
            references.announce(saved);
            return bytes;
        } finally {
            if (!done) {
                out.abort();
            }
            codec.giveBack(out);
        }
    }

    /**
     * Reject a value that contains a deleted reference. After a shutdown this failure is more
     * precise.
     *
     * @throws RpcException if it contains one
     */
    public void refuseDeleted(Object value) {
        codec.values().findIn(value, RRef.class, references::requireOpen);
    }

    /** Read a value, and wait until the owners of the references in it know of them. */
    public <T> T read(byte[] bytes, Class<T> type) {
        WireInput in = codec.open(Output.NOWHERE, ValueFile.read(bytes, allocator)).body();
        boolean done = false;
        try {
            Object value = in.readValue();
            if (in.remaining() > 0) {
                throw new DecodingException(in.remaining() + " bytes come after the value");
            }
            in.attached(Received.class).forEach(ValueBytes::awaitOwner);
            T result = cast(value, type);
            done = true;
            return result;
        } finally {
            if (!done) {
                in.attached(Received.class).stream().map(Received::rref).forEach(RRef::close);
            }
        }
    }

    private static void awaitOwner(Received received) {
        if (received.confirmation() != null) {
            received.confirmation().join();
        }
    }

    private static <T> T cast(@Nullable Object value, Class<T> type) {
        if (value == null || !type.isInstance(value)) {
            throw new TypeMismatchException(
                    "the bytes hold %s, not a %s"
                            .formatted(
                                    value == null ? "null" : "a " + value.getClass().getName(),
                                    type.getName()));
        }
        return type.cast(value);
    }
}
