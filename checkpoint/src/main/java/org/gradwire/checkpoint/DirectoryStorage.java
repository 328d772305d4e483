package org.gradwire.checkpoint;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.WritableByteChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Checkpoints as subdirectories. An attempt is a hidden subdirectory, and its publication a rename.
 * Files and directories are synced, so all holds after a crash of the machine if its file system
 * keeps synced files.
 */
final class DirectoryStorage implements CheckpointStorage {
    private final Path root;

    DirectoryStorage(Path root) {
        this.root = root;
    }

    @Override
    public List<String> published() throws IOException {
        return subdirectories(StepNames::isName);
    }

    private List<String> subdirectories(Predicate<String> wanted) throws IOException {
        try (Stream<Path> all = Files.list(root)) {
            return all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .map(path -> String.valueOf(path.getFileName()))
                    .filter(wanted)
                    .toList();
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    @Override
    public void write(String name, String attempt, String file, Content content)
            throws IOException {
        Path directory = root.resolve(StepNames.hidden(name, attempt));
        Files.createDirectories(directory);
        Path path = directory.resolve(StepNames.requireFile(file));
        try (var channel =
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            content.writeTo(channel);
            channel.force(true);
        }
        sync(directory, StandardOpenOption.READ);
    }

    private static void sync(Path path, StandardOpenOption mode) throws IOException {
        try (var channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    @Override
    public void publish(String name, String attempt, byte[] manifest) throws IOException {
        write(name, attempt, StepNames.MANIFEST, new Bytes(manifest));
        Path target = root.resolve(StepNames.requireName(name));
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            hide(name); // deleted by the next removal of attempts
        }
        rename(StepNames.hidden(name, attempt), name);
    }

    /** Contents that are in memory. */
    private record Bytes(byte[] all) implements Content {
        @Override
        public long bytes() {
            return all.length;
        }

        @Override
        public void writeTo(WritableByteChannel channel) throws IOException {
            var buffer = ByteBuffer.wrap(all);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    /** Rename a published checkpoint to an attempt, and return the name. */
    private String hide(String name) throws IOException {
        String hidden = StepNames.hidden(name, StepNames.attempt());
        rename(name, hidden);
        return hidden;
    }

    private void rename(String from, String to) throws IOException {
        Files.move(root.resolve(from), root.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        sync(root, StandardOpenOption.READ);
    }

    @Override
    public StoredFile open(String name, String file) throws IOException {
        Path path = root.resolve(StepNames.requireName(name)).resolve(StepNames.requireFile(file));
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(path.toString(), null, "there is no such file");
        }
        try (var channel =
                FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return new MappedFile(
                    path, channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto()));
        }
    }

    /** A file that is mapped as a whole, and read by the pages that are used. */
    private record MappedFile(Path path, MemorySegment contents) implements StoredFile {
        @Override
        public void load(long offset, long length) {}

        @Override
        public String toString() {
            return path.toString();
        }
    }

    @Override
    public void remove(String name) throws IOException {
        delete(root.resolve(hide(StepNames.requireName(name))));
    }

    @Override
    public void removeAttempts() throws IOException {
        for (String attempt : subdirectories(StepNames::isHidden)) {
            try {
                delete(root.resolve(attempt));
            } catch (DirectoryNotEmptyException | NoSuchFileException _) {
                // A process of an earlier attempt still runs; the next call removes the rest.
            }
        }
    }

    /** Delete a directory, without following links. */
    private static void delete(Path directory) throws IOException {
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
                            throws IOException {
                        Files.deleteIfExists(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
