package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Where a value is read from that came in a message. Used by one thread.
 *
 * <p>What was written with one method must be read with its counterpart. Every reader throws {@link
 * DecodingException} when the bytes do not fit, and none allocates more than the message can
 * account for.
 */
public interface Input {

    boolean readBoolean();

    int readInt();

    /**
     * Read a number that says how many of something follow.
     *
     * @param most the largest number that makes sense here
     */
    default int readCount(int most) {
        int count = readInt();
        if (count < 0 || count > most) {
            throw new DecodingException("count " + count + " is not in 0 to " + most);
        }
        return count;
    }

    /**
     * As {@link #readCount(int)}, of elements that nothing but the length of the message bounds.
     * The heap that they take counts against the sender.
     *
     * @param elementBytes about what is made of each element, without texts and values, which count
     *     when they are read
     * @throws DecodingException also when all of them would take more than the sender may
     */
    default int readCount(int most, int elementBytes) {
        int count = readCount(most);
        charge((long) elementBytes * count);
        return count;
    }

    /**
     * Count heap against the sender that is about to be taken for what it sent, beyond the bytes of
     * the message. By default nothing is counted.
     *
     * @throws DecodingException when it would be more than the sender may take
     */
    default void charge(long heapBytes) {}

    long readLong();

    float readFloat();

    double readDouble();

    String readString();

    byte[] readBytes();

    /** Read any value, of whatever type was written. */
    @Nullable Object readValue();

    /**
     * Take the next buffer of the message. It belongs to the caller and stays valid as long as it
     * is reachable.
     */
    MemorySegment readBuffer();

    /**
     * {@return the bytes of the payload that are left; an upper bound for the number of elements
     * that can follow}
     */
    int remaining();

    /**
     * {@return id of the worker the message came from; {@link Output#NOWHERE} when it is none's}
     */
    int source();

    /**
     * Leave an object for the interceptors of this message, which see those of one kind in the
     * order they were noted.
     */
    <T> void note(Class<T> kind, T object);

    /** {@return what was noted so far} */
    <T> List<T> noted(Class<T> kind);
}
