package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Reads values from a message. Confined to one thread.
 *
 * <p>Each value is read by the counterpart of the method of {@link Output} that wrote it. Every
 * method throws {@link DecodingException} if the bytes are malformed, and allocates no more than
 * the length of the message justifies.
 */
public interface Input {

    /** Read what {@link Output#writeBoolean} wrote; a number other than 0 and 1 is malformed. */
    boolean readBoolean();

    /** Read an integer of variable length; one outside the range of an int is malformed. */
    int readInt();

    /**
     * Read the number of elements that follow.
     *
     * @param most the largest valid number
     */
    default int readCount(int most) {
        int count = readInt();
        if (count < 0 || count > most) {
            throw new DecodingException("count " + count + " is not in 0 to " + most);
        }
        return count;
    }

    /**
     * Read the number of elements that follow, as {@link #readCount(int)}, if the length of the
     * message is their only limit. Their heap is charged to the sender.
     *
     * @param elementBytes approximate heap of an element, without its strings and values, which are
     *     charged when they are read
     * @throws DecodingException also if the elements exceed the sender's limit
     */
    default int readCount(int most, int elementBytes) {
        int count = readCount(most);
        charge((long) elementBytes * count);
        return count;
    }

    /**
     * Charge the sender for heap that the receiver is about to allocate in addition to the bytes of
     * the message. The default charges nothing.
     *
     * @throws DecodingException if the sender's limit is exceeded
     */
    default void charge(long heapBytes) {}

    /** Read an integer of variable length, of {@link Output#writeInt} or {@code writeLong}. */
    long readLong();

    /** Read a number of 4 bytes, little endian. */
    float readFloat();

    /** Read a number of 8 bytes, little endian. */
    double readDouble();

    /** Read a text, never null; bytes that are not UTF-8 are malformed. */
    String readString();

    /** Read a new array, never null. */
    byte[] readBytes();

    /** Read a value of any type that {@link Output#writeValue} takes, or null. */
    @Nullable Object readValue();

    /**
     * Take the next buffer of the message. It belongs to the caller and stays valid as long as it
     * is reachable.
     */
    MemorySegment readBuffer();

    /**
     * {@return the unread bytes of the payload: an upper bound of the number of elements that can
     * follow}
     */
    int remaining();

    /** {@return the id of the worker that sent the message; {@link Output#NOWHERE} if none did} */
    int source();

    /**
     * Attach an object for the interceptors of this message, which see the objects of one kind in
     * the order of attachment.
     */
    <T> void attach(Class<T> kind, T object);

    /** {@return the attached objects of a kind} */
    <T> List<T> attached(Class<T> kind);
}
