package org.gradwire.checkpoint.tests;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.StoredFile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A storage with actions.
 *
 * @param hook before each operation that writes a checkpoint
 * @param onOpen before a file is opened
 */
record HookedStorage(CheckpointStorage storage, Hook hook, Hook onOpen)
        implements CheckpointStorage {

    HookedStorage(CheckpointStorage storage, Hook hook) {
        this(storage, hook, () -> {});
    }

    /** The action. */
    interface Hook {
        void run() throws IOException;
    }

    /** {@return a storage whose operation of a number fails, from 0; a negative number: none} */
    static HookedStorage failing(Path directory, int number) {
        int[] left = {number};
        return new HookedStorage(
                CheckpointStorage.directory(directory),
                () -> {
                    if (left[0]-- == 0) {
                        throw new IOException("the disk is full");
                    }
                });
    }

    @Override
    public void write(String name, String attempt, String file, Content content)
            throws IOException {
        hook.run();
        storage.write(name, attempt, file, content);
    }

    @Override
    public void publish(String name, String attempt, byte[] manifest) throws IOException {
        hook.run();
        storage.publish(name, attempt, manifest);
    }

    @Override
    public List<String> published() throws IOException {
        return storage.published();
    }

    @Override
    public StoredFile open(String name, String file) throws IOException {
        onOpen.run();
        return storage.open(name, file);
    }

    @Override
    public void remove(String name) throws IOException {
        storage.remove(name);
    }

    @Override
    public void removeAttempts() throws IOException {
        storage.removeAttempts();
    }
}
