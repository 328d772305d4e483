package org.gradwire.runtime;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The file that shows that a worker has joined its group. */
final class ReadyFile {

    private ReadyFile() {}

    /**
     * Create the file of the settings, if they name one; it may exist.
     *
     * @throws RpcConfigurationException if it cannot be created
     */
    static void create(LayeredSettings settings) {
        settings.find(RuntimeSettings.READY_FILE)
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> create(name, settings.origin(RuntimeSettings.READY_FILE)));
    }

    private static void create(String name, String origin) {
        try {
            Path file = Path.of(name);
            if (!Files.exists(file)) {
                Files.createFile(file);
            }
        } catch (InvalidPathException | IOException e) {
            throw new RpcConfigurationException(
                    "%s=%s (from %s) cannot be created: %s; name a file in a directory that the worker can write"
                            .formatted(RuntimeSettings.READY_FILE, name, origin, e),
                    e);
        }
    }
}
