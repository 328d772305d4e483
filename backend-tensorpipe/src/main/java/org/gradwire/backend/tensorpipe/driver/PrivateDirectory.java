package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.process.ProcessUser;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/**
 * Creates and checks private directories: no symbolic links, owned by the effective user, with mode
 * 0700. Only this user can have created them, and no other can enter them. In a folder such as
 * {@code /dev/shm}, where every user may create files, another user can occupy the name first, but
 * neither delete nor replace an existing directory.
 */
public final class PrivateDirectory {
    private static final int FILE_TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int SYMBOLIC_LINK = 0120000;
    private static final int PERMISSIONS = 0777;
    private static final int OWNER_ONLY = 0700;

    private PrivateDirectory() {}

    /**
     * Create a directory, unless it exists.
     *
     * @throws RpcConfigurationException if it cannot be created
     */
    public static void create(Path path) {
        try {
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(
                        path,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            }
        } catch (FileAlreadyExistsException _) {
            // created concurrently, or not a directory: require() checks
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "the media driver's directory %s cannot be created (%s); name another with %s"
                            .formatted(path, e, SettingKeys.DIRECTORY),
                    e);
        }
    }

    /**
     * Check a directory.
     *
     * @throws RpcConfigurationException if it is not private
     * @throws IOException if it cannot be read, such as {@link NoSuchFileException}
     */
    static void require(Path path) throws IOException {
        Optional<String> flaw = flaw(path);
        if (flaw.isPresent()) {
            throw new RpcConfigurationException(
                    "%s cannot be the media driver's directory: it %s; remove it, or name another directory with %s"
                            .formatted(path, flaw.get(), SettingKeys.DIRECTORY));
        }
    }

    /** {@return the reason why a directory is not private; empty if it is} */
    static Optional<String> flaw(Path path) throws IOException {
        Map<String, Object> found =
                Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
        int mode = number(found, "mode");
        int owner = number(found, "uid");
        int self = ProcessUser.id();
        if ((mode & FILE_TYPE) != DIRECTORY) {
            boolean isLink = (mode & FILE_TYPE) == SYMBOLIC_LINK;
            return Optional.of(
                    "is %s of user %d, not a directory"
                            .formatted(isLink ? "a symbolic link" : "a file", owner));
        }
        if (owner != self) {
            return Optional.of(
                    "belongs to user %d, not to this process's user %d".formatted(owner, self));
        }
        return (mode & PERMISSIONS) == OWNER_ONLY
                ? Optional.empty()
                : Optional.of(
                        "has mode %o; expected 700, so that no other user can enter it (chmod 700)"
                                .formatted(mode & PERMISSIONS));
    }

    private static int number(Map<String, Object> attributes, String name) {
        if (attributes.get(name) instanceof Integer number) {
            return number;
        }
        throw new IllegalStateException("a file without " + name);
    }
}
