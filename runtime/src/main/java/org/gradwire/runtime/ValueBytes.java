package org.gradwire.runtime;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.rref.SavedReferences;
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

/** Values as bytes that no message carries; {@link ValueFile} is their layout. */
final class ValueBytes {
    private static final int NO_TYPE = 0; // no interceptor's

    private final WireCodec codec;
    private final BufferAllocator allocator;
    private final SavedReferences references;
    private final ThreadLocal<@Nullable Integer> saving = new ThreadLocal<>();

    ValueBytes(WireCodec codec, BufferAllocator allocator, SavedReferences references) {
        this.codec = codec;
        this.allocator = allocator;
        this.references = references;
    }

    /** Let the calling thread write references. Such scopes nest. */
    RpcScope openSaving() {
        Integer outer = saving.get();
        saving.set(outer == null ? 1 : outer + 1);
        return new ThreadScope(this::endSaving);
    }

    private void endSaving() {
        Integer depth = saving.get();
        if (depth == null || depth == 1) {
            saving.remove();
        } else {
            saving.set(depth - 1);
        }
    }

    boolean savesReferences() {
        return saving.get() != null;
    }

    /** Write a value, and wait until the owners of the references in it know of the bytes. */
    byte[] write(Object value) {
        WireOutput out = codec.begin(Output.NOWHERE, false);
        boolean done = false;
        try {
            out.writeValue(value);
            List<Saved> saved = out.noted(Saved.class);
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
     * Refuse a value with a reference that was deleted, which says more than that the worker is
     * stopped.
     *
     * @throws RpcException when it has one
     */
    void refuseDeleted(Object value) {
        codec.values().findIn(value, RRef.class, references::requireOpen);
    }

    /** Read a value, and wait until the owners of the references in it know of them. */
    <T> T read(byte[] bytes, Class<T> type) {
        WireInput in = codec.open(Output.NOWHERE, ValueFile.read(bytes, allocator)).body();
        boolean done = false;
        try {
            Object value = in.readValue();
            if (in.remaining() > 0) {
                throw new DecodingException(in.remaining() + " bytes come after the value");
            }
            in.noted(Received.class).forEach(ValueBytes::awaitOwner);
            T result = cast(value, type);
            done = true;
            return result;
        } finally {
            if (!done) {
                in.noted(Received.class).stream().map(Received::rref).forEach(RRef::close);
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
