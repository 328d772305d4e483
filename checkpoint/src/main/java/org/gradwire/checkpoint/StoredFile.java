package org.gradwire.checkpoint;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A published file of a {@link CheckpointStorage}, opened for reading. Its contents do not change:
 * if the storage loses them, reading fails. Its {@code toString} names it in messages.
 *
 * <p>May be used by many threads.
 */
public interface StoredFile {

    /**
     * {@return memory as long as the file, read-only; the ranges that {@link #load} has loaded have
     * the contents}
     */
    MemorySegment contents();

    /**
     * Load a range into {@link #contents}, unless it is loaded.
     *
     * @throws IOException if it cannot be read; the message names the file
     */
    void load(long offset, long length) throws IOException;
}
