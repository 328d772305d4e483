package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Where a value is written that goes into a message. Used by one thread, only while the message is
 * being made.
 */
public interface Output {
    /** In place of a worker's id: for bytes that no message carries. */
    int NOWHERE = -1;

    void writeBoolean(boolean value);

    void writeInt(int value);

    void writeLong(long value);

    void writeFloat(float value);

    void writeDouble(double value);

    void writeString(String value);

    void writeBytes(byte[] value);

    /**
     * Write any value that may travel, with its type.
     *
     * @throws org.gradwire.rpc.TypeMismatchException when values of its type may not
     */
    void writeValue(@Nullable Object value);

    /**
     * Add a buffer, which is not copied; see {@link Message} for how long it must stay unchanged.
     *
     * @param onRelease run when the message is released
     */
    void writeBuffer(MemorySegment buffer, @Nullable Runnable onRelease);

    /** {@return id of the worker the message goes to; {@link #NOWHERE} when it is none's} */
    int destination();

    /** {@return whether the message is a reply} */
    boolean isReply();

    /**
     * Leave an object for the interceptors of this message, which see those of one kind in the
     * order they were noted.
     */
    <T> void note(Class<T> kind, T object);

    /** {@return what was noted so far} */
    <T> List<T> noted(Class<T> kind);
}
