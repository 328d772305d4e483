package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Writes values into a message. Confined to one thread, and valid only while the message is
 * encoded.
 *
 * <p>Integers have variable length, in little-endian order: one byte for 0 to 127, otherwise a code
 * and the fewest of 1, 2, 4 or 8 bytes. Only the value of {@link #writeValue} may be null.
 */
public interface Output {
    /** The worker id of bytes that no message carries. */
    int NOWHERE = -1;

    /** Write a boolean, as the number 0 or 1 in one byte. */
    void writeBoolean(boolean value);

    /** Write an integer of variable length, 1 to 5 bytes. */
    void writeInt(int value);

    /** Write an integer of variable length, 1 to 9 bytes. */
    void writeLong(long value);

    /** Write the bits of a number in 4 bytes, little endian; those of NaN are kept. */
    void writeFloat(float value);

    /** Write the bits of a number in 8 bytes, little endian; those of NaN are kept. */
    void writeDouble(double value);

    /**
     * Write a text, not null: the number of its bytes in UTF-8, as {@link #writeInt}, and the
     * bytes.
     */
    void writeString(String value);

    /** Write an array, not null: its length, as {@link #writeInt}, and a copy of its bytes. */
    void writeBytes(byte[] value);

    /**
     * Write a value and its type, or null.
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
