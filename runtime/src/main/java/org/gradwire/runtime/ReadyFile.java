package org.gradwire.runtime;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.Settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The file that shows that a worker is a member of its group: created when it has joined, renamed
 * to {@code FILE.left} when it has left.
 */
final class ReadyFile {

    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rpc");
    private static final String LEFT = ".left";

    private ReadyFile() {}

    /**
     * Create the file of the settings, if they name one; it may exist.
     *
     * @throws RpcConfigurationException if it cannot be created
     */
    static void create(Settings settings) {
        settings.find(RuntimeSettings.READY_FILE)
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> create(name, settings.origin(RuntimeSettings.READY_FILE)));
    }

    /** Show that the worker has left its group, if its file exists. */
    static void onLeft(Settings settings) {
        settings.find(RuntimeSettings.READY_FILE)
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .filter(Files::exists)
                .ifPresent(ReadyFile::rename);
    }

    private static void rename(Path file) {
        try {
            Path left = file.resolveSibling(file.getFileName() + LEFT);
            Files.move(file, left, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "{0} cannot be renamed: {1}", file, e);
        }
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
