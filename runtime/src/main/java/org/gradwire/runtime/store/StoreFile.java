package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.process.ProcessUser;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Opens a store's file so that other users can neither read, lock nor replace its content: it is
 * created with mode 0600, and an existing one must be a regular file of this user that no other
 * user may write. Symbolic links are not followed in the last component of its path.
 *
 * <p>The directory is not checked; it must not let other users rename files.
 */
final class StoreFile {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<OpenOption> OPTIONS =
            Set.of(
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    LinkOption.NOFOLLOW_LINKS);
    private static final FileAttribute<?>[] NO_ATTRIBUTES = {};
    private static final int TYPE = 0170000; // S_IFMT and others of stat(2)
    private static final int REGULAR = 0100000;
    private static final int SYMBOLIC_LINK = 0120000;
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int ACCESSIBLE_BY_OTHERS = 0077;

    private StoreFile() {}

    /**
     * Open a file for reading and writing; create it if it does not exist.
     *
     * @throws RpcConfigurationException if the file is not safe to use
     */
    static FileChannel open(Path path) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return FileChannel.open(path, OPTIONS, NO_ATTRIBUTES);
        }
        while (true) {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                isSafe(path); // opening a device may have effects
            }
            FileChannel file =
                    FileChannel.open(
                            path, OPTIONS, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            boolean safe = false;
            try {
                safe = isSafe(path);
            } finally {
                if (!safe) {
                    file.close();
                }
            }
            if (safe) {
                return file;
            }
            // It was deleted meanwhile, so create another one.
        }
    }

    /** {@return false if the file was deleted} */
    private static boolean isSafe(Path path) throws IOException {
        try {
            Map<String, Object> attributes =
                    Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
            int mode = number(attributes, "mode");
            require(path, (mode & TYPE) != SYMBOLIC_LINK, "it is a symbolic link");
            require(path, (mode & TYPE) == REGULAR, "it is not a regular file");
            int owner = number(attributes, "uid");
            require(path, owner == ProcessUser.id(), "it belongs to the user with id " + owner);
            require(
                    path,
                    (mode & WRITABLE_BY_OTHERS) == 0,
                    "other users may write it (mode %o)".formatted(mode & ~TYPE));
            if ((mode & ACCESSIBLE_BY_OTHERS) != 0) {
                Files.getFileAttributeView(
                                path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .setPermissions(OWNER_ONLY); // a user that can read it can also lock it
            }
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static void require(Path path, boolean condition, String problem) {
        if (!condition) {
            throw new RpcConfigurationException(
                    "the store %s is not safe to use: %s; expected a regular file of this user that no other user may write. Delete it, or name another file with gradwire.rendezvous"
                            .formatted(path, problem));
        }
    }

    private static int number(Map<String, Object> attributes, String name) {
        return (Integer) Objects.requireNonNull(attributes.get(name));
    }
}
