package org.gradwire.checkpoint;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
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
    public Path prepare(String attempt, String file) throws IOException {
        Path directory = root.resolve(StepNames.requireAttempt(attempt));
        Files.createDirectories(directory);
        return directory.resolve(StepNames.requireFile(file));
    }

    @Override
    public void store(String attempt, String file) throws IOException {
        Path directory = root.resolve(StepNames.requireAttempt(attempt));
        sync(directory.resolve(StepNames.requireFile(file)), StandardOpenOption.WRITE);
        sync(directory, StandardOpenOption.READ);
    }

    private static void sync(Path path, StandardOpenOption mode) throws IOException {
        try (var channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    @Override
    public void publish(String attempt, String name) throws IOException {
        Path target = root.resolve(StepNames.requireName(name));
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            rename(name, StepNames.attempt(name)); // deleted by the next removal of attempts
        }
        rename(StepNames.requireAttempt(attempt), name);
    }

    private void rename(String from, String to) throws IOException {
        Files.move(root.resolve(from), root.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        sync(root, StandardOpenOption.READ);
    }

    @Override
    public Path open(String name, String file) throws IOException {
        Path path = root.resolve(StepNames.requireName(name)).resolve(StepNames.requireFile(file));
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(path.toString(), null, "there is no such file");
        }
        return path;
    }

    @Override
    public void remove(String name) throws IOException {
        String removed = StepNames.attempt(name);
        rename(StepNames.requireName(name), removed);
        delete(root.resolve(removed));
    }

    @Override
    public void removeAttempts() throws IOException {
        for (String attempt : subdirectories(StepNames::isAttempt)) {
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
