package org.gradwire.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Watches that a run leaves nothing in shared memory.
 *
 * <p>A backend's media driver removes its own files within seconds after its last worker. The
 * launcher waits for that, so that the next command finds a clean machine; but not for a driver
 * that serves other workers too. What the run has added and nobody has mapped at the end of the
 * wait, as after a {@code kill -9} of the driver, is removed.
 */
final class SharedMemory {
    private static final String PREFIX = "gradwire";
    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final Path folder;
    private final Path processes;
    private final Set<Path> before;

    SharedMemory(Path folder, Path processes) {
        this.folder = folder;
        this.processes = processes;
        this.before = entries();
    }

    /** Note what is there before a run starts. */
    static SharedMemory beforeRun() {
        return new SharedMemory(Path.of("/dev/shm"), Path.of("/proc"));
    }

    /** Wait for what the run has used to go away. */
    void awaitClean(Duration patience, Console console) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        Set<Path> pending = pending(entries());
        while (!pending.isEmpty() && System.nanoTime() < deadlineNanos) {
            Thread.sleep(INTERVAL);
            pending.retainAll(entries());
            pending = pending(pending);
        }
        for (Path entry : pending) {
            if (users(entry) == 0) {
                remove(entry);
                console.message("gradwire: removed what no process uses any more: " + entry);
            } else if (!before.contains(entry)) {
                console.message("gradwire: left in place, for a process uses it: " + entry);
            }
        }
    }

    /**
     * {@return those that should go away: a driver's without clients, and the run's unused ones}
     */
    private Set<Path> pending(Set<Path> entries) {
        return entries.stream()
                .filter(entry -> {
                    int users = users(entry);
                    return users == 1 || (users == 0 && !before.contains(entry));
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<Path> entries() {
        if (!Files.isDirectory(folder)) {
            return new TreeSet<>();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder, e);
        }
    }

    /** {@return how many processes have an entry, or a file in it, mapped} */
    private int users(Path entry) {
        List<Path> maps;
        try (Stream<Path> all = Files.list(processes)) {
            maps =
                    all.filter(process -> process.getFileName().toString().matches("\\d+"))
                            .map(process -> process.resolve("maps"))
                            .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + processes, e);
        }
        return (int) maps.stream().filter(file -> mentions(file, entry.toString())).count();
    }

    private static boolean mentions(Path maps, String entry) {
        try (Stream<String> lines = Files.lines(maps)) {
            return lines.anyMatch(line -> line.endsWith(entry) || line.contains(entry + "/"));
        } catch (IOException | UncheckedIOException _) {
            return false; // no process, one that has ended, or another user's
        }
    }

    private static void remove(Path entry) {
        try (Stream<Path> tree = Files.walk(entry)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + entry, e);
        }
    }
}
