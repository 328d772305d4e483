package org.gradwire.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A private directory for the files of one run: the store of its rendezvous, its token and its
 * certificates.
 *
 * @param path its location
 */
record RunDirectory(Path path) implements AutoCloseable {
    private static final String NAME = "gradwire-run-";
    private static final int PERMISSIONS = 0777;
    private static final int OWNER_ONLY = 0700;
    private static final FileAttribute<?> FOLDER_OF_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /**
     * Create a directory: in the user's runtime directory, or else in the directory for temporary
     * files.
     *
     * @param environment may contain {@code XDG_RUNTIME_DIR}
     */
    static RunDirectory create(Map<String, String> environment) throws IOException {
        Path parent = parent(environment.getOrDefault("XDG_RUNTIME_DIR", ""));
        try {
            return new RunDirectory(Files.createTempDirectory(parent, NAME, FOLDER_OF_OWNER));
        } catch (IOException e) {
            throw new IOException(
                    "cannot create a directory for the files of this run in %s (%s); set XDG_RUNTIME_DIR to a directory of yours with mode 700 that can be written"
                            .formatted(parent, e.getMessage()),
                    e);
        }
    }

    private static Path parent(String runtimeDirectory) {
        try {
            Path runtime = Path.of(runtimeDirectory);
            if (runtime.isAbsolute() && isPrivate(runtime)) {
                return runtime;
            }
        } catch (InvalidPathException | IOException _) {
            // Ignored, as if it were not set.
        }
        return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    }

    private static boolean isPrivate(Path folder) throws IOException {
        int mode = (int) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && (mode & PERMISSIONS) == OWNER_ONLY
                && Files.getOwner(folder).equals(Files.getOwner(Path.of("/proc/self")));
    }

    /**
     * {@return the rendezvous of a group on this machine only}
     *
     * @param generation number of earlier groups of this run
     */
    String rendezvous(int generation) {
        return path.resolve(generation == 0 ? "store" : "store-" + generation).toUri().toString();
    }

    /** {@return the file that a worker creates when it has joined its group; it does not exist} */
    Path readyFile(int rank) throws IOException {
        Path file = path.resolve("ready-" + rank);
        Files.deleteIfExists(file);
        Files.deleteIfExists(leftFile(file));
        return file;
    }

    /** {@return the name to which a worker renames its file when it has left its group} */
    static Path leftFile(Path readyFile) {
        return readyFile.resolveSibling(readyFile.getFileName() + ".left");
    }

    /** Create a folder that only its owner can enter; {@return the folder} */
    Path createFolder(String name) throws IOException {
        return Files.createDirectory(path.resolve(name), FOLDER_OF_OWNER);
    }

    /** Write a new file that only its owner can read; {@return the file} */
    Path write(String name, String content) throws IOException {
        Path file = path.resolve(name);
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, content);
    }

    /** Delete the directory and its content. */
    @Override
    public void close() throws IOException {
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> entries = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path entry : entries) {
                Files.deleteIfExists(entry);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
