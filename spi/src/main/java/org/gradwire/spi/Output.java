package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Writes values into a message. Confined to one thread, and valid only while the message is
 * encoded.
 */
public interface Output {
    /** The worker id of bytes that no message carries. */
    int NOWHERE = -1;

    void writeBoolean(boolean value);

    void writeInt(int value);

    void writeLong(long value);

    void writeFloat(float value);

    void writeDouble(double value);

    void writeString(String value);

    void writeBytes(byte[] value);

    /**
     * Write a value and its type.
     *
     * @throws org.gradwire.rpc.TypeMismatchException if values of its type cannot be sent
     */
    void writeValue(@Nullable Object value);

    /**
     * Add a buffer, which is not copied; it must not change until the release of the {@link
     * Message}.
     *
     * @param onRelease runs when the message is released
     */
    void writeBuffer(MemorySegment buffer, @Nullable Runnable onRelease);

    /** {@return the id of the destination of the message; {@link #NOWHERE} if it has none} */
    int destination();

    /** {@return whether the message is a reply} */
    boolean isReply();

    /**
     * Attach an object for the interceptors of this message, which see the objects of one kind in
     * the order of attachment.
     */
    <T> void attach(Class<T> kind, T object);

    /** {@return the attached objects of a kind} */
    <T> List<T> attached(Class<T> kind);
}
