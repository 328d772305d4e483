package org.gradwire.checkpoint;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * A place for checkpoints that all members reach, such as a shared file system or an object store.
 * Each checkpoint is a set of files under one name, one of them the manifest. The files of an
 * attempt are not visible under that name before they are published, all at once.
 *
 * <p>What an implementation guarantees:
 *
 * <ul>
 *   <li>A file that {@link #write} has returned for survives a crash of all members.
 *   <li>{@link #publish} is atomic: readers find all files of an attempt, or none.
 *   <li>A file that was opened keeps its contents, or its reading fails.
 * </ul>
 *
 * <p>One group at a time writes to a storage. All methods may be called from any thread, and each
 * one ends: an implementation bounds its waits.
 */
public interface CheckpointStorage {

    /** Return a storage in a directory, local or on a shared file system. */
    static CheckpointStorage directory(Path directory) {
        return new DirectoryStorage(directory);
    }

    /**
     * Return the storage at an address: a directory, or a URI whose scheme a {@link
     * CheckpointStorageProvider} on the path of the program has, such as {@code
     * s3://bucket/prefix}.
     *
     * @throws IllegalArgumentException if no provider has the scheme, or the address is malformed
     * @throws org.gradwire.rpc.RpcConfigurationException if a setting of the storage is wrong
     */
    static CheckpointStorage of(String address) {
        return StorageProviders.open(address);
    }

    /** The contents of a file. */
    interface Content {

        /** {@return their length} */
        long bytes();

        /** Write all to a channel. */
        void writeTo(WritableByteChannel channel) throws IOException;
    }

    /** {@return the names of the published checkpoints, in any order} */
    List<String> published() throws IOException;

    /**
     * Write a file of an attempt, and keep it: after a crash it is complete. If this fails, the
     * file is part of the attempt that {@link #removeAttempts} removes.
     *
     * @param name that the checkpoint will have
     * @param attempt unique id of the attempt to write it
     * @param content written once
     */
    void write(String name, String attempt, String file, Content content) throws IOException;

    /**
     * Publish the files of an attempt together with their manifest, all or none. Those that had the
     * name are replaced; a crash meanwhile may lose them, but leaves no mixture.
     *
     * @param manifest contents of the file {@code manifest.json}
     */
    void publish(String name, String attempt, byte[] manifest) throws IOException;

    /**
     * Open a published file.
     *
     * @throws IOException if there is no such file
     */
    StoredFile open(String name, String file) throws IOException;

    /** Remove a published checkpoint, all at once. */
    void remove(String name) throws IOException;

    /**
     * Remove the files of all attempts that were not published, as far as no process writes them.
     */
    void removeAttempts() throws IOException;
}
