package org.gradwire.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
    private final ProcessFiles processes;
    private final Set<Path> before;

    SharedMemory(Path folder, ProcessFiles processes) {
        this.folder = folder;
        this.processes = processes;
        this.before = entries();
    }

    /** Note what is there before a run starts. */
    static SharedMemory beforeRun() {
        return new SharedMemory(Path.of("/dev/shm"), ProcessFiles.ofSystem());
    }

    /** Wait for what the run has used to go away. */
    void awaitClean(Duration patience, Console console) throws InterruptedException {
        Set<Path> left = pending(entries());
        if (left.isEmpty()) {
            return;
        }
        console.status("gradwire: waiting for the media driver to end");
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (!left.isEmpty() && System.nanoTime() < deadlineNanos) {
            Thread.sleep(INTERVAL);
            left.retainAll(entries());
            left = pending(left);
        }
        console.clear(console);
        left.forEach(entry -> remove(entry, console));
    }

    private Set<Path> pending(Set<Path> entries) {
        return entries.stream()
                .filter(this::shouldGoAway)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return whether an entry is the run's and unused, or a driver's that has no clients} */
    private boolean shouldGoAway(Path entry) {
        return users(entry).map(users -> shouldGoAway(entry, users)).orElse(false);
    }

    private boolean shouldGoAway(Path entry, List<Long> users) {
        return users.isEmpty()
                ? !before.contains(entry)
                : users.size() == 1 && processes.mayLeadSession(users.getFirst());
    }

    /** {@return the processes that use an entry or may do so; empty when they are unknown} */
    private Optional<List<Long>> users(Path entry) {
        return processes
                .pids()
                .map(pids ->
                        pids.stream().filter(pid -> processes.mayHaveMapped(pid, entry)).toList());
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

    private void remove(Path entry, Console console) {
        if (!users(entry).map(List::isEmpty).orElse(false)) {
            console.message("gradwire: left in place, for a process may still use it: " + entry);
            return;
        }
        try (Stream<Path> tree = Files.walk(entry)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
            console.message("gradwire: removed what no process uses any more: " + entry);
        } catch (IOException | UncheckedIOException e) {
            console.message("gradwire: cannot remove " + entry + ": " + e.getMessage());
        }
    }
}
