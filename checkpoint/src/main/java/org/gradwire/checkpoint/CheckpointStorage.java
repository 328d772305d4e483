package org.gradwire.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A place for checkpoints that all members reach, such as a shared file system or an object store.
 * Each checkpoint is a set of files under one name. The files of an attempt are not visible under
 * that name before they are published, all at once.
 *
 * <p>One group at a time writes to a storage. All methods may be called from any thread.
 */
public interface CheckpointStorage {

    /** Return a storage in a directory, local or on a shared file system. */
    static CheckpointStorage directory(Path directory) {
        return new DirectoryStorage(directory);
    }

    /** {@return the names of the published checkpoints, in any order} */
    List<String> published() throws IOException;

    /** Return a local path to write a file of an attempt to. */
    Path prepare(String attempt, String file) throws IOException;

    /** Keep the file that was written to the prepared path: after a crash it is complete. */
    void store(String attempt, String file) throws IOException;

    /**
     * Make the files of an attempt visible under a name, all or none. Those that had the name are
     * replaced; a crash meanwhile may lose them, but leaves no mixture.
     */
    void publish(String attempt, String name) throws IOException;

    /**
     * Return a local path to read a published file from. The file does not change as long as it is
     * open.
     *
     * @throws IOException if there is no such file
     */
    Path open(String name, String file) throws IOException;

    /** Remove a published checkpoint, all at once. */
    void remove(String name) throws IOException;

    /**
     * Remove the files of all attempts that were not published, as far as no process writes them.
     */
    void removeAttempts() throws IOException;
}
