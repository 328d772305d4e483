package org.gradwire.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Watches that a run leaves nothing in shared memory.
 *
 * <p>A backend's media driver removes its own files within seconds after its last worker. The
 * launcher waits for that, so that the next command finds a clean machine. What is left after that
 * wait is removed if no process has it mapped, as after a {@code kill -9} of the driver, and is
 * left alone if one has.
 */
final class SharedMemory {
    private static final String PREFIX = "gradwire";
    private static final Duration INTERVAL = Duration.ofMillis(50);

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

    /** Wait for what the run has added to go away. */
    void awaitClean(Duration patience, Console console) throws InterruptedException {
        Set<Path> added = added();
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (!added.isEmpty() && System.nanoTime() < deadlineNanos) {
            Thread.sleep(INTERVAL);
            added.retainAll(entries());
        }
        for (Path entry : added) {
            if (mapped(entry)) {
                console.message("gradwire: left in place, for a process uses it: " + entry);
            } else {
                remove(entry);
                console.message("gradwire: removed what no process uses any more: " + entry);
            }
        }
    }

    private Set<Path> added() {
        Set<Path> added = entries();
        added.removeAll(before);
        return added;
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

    private boolean mapped(Path entry) {
        try (Stream<Path> all = Files.list(processes)) {
            return all.map(process -> process.resolve("maps"))
                    .anyMatch(maps -> mentions(maps, entry.toString()));
        } catch (IOException _) {
            return true; // not known, so it stays
        }
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
