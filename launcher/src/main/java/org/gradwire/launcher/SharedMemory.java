package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;

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
 * Cleans up shared memory after a run.
 *
 * <p>A backend's media driver removes its files within seconds after its last worker. The launcher
 * waits for that, so that the next command finds a clean machine, but not for a driver that serves
 * other workers too. After the wait it removes the run's files that no process has mapped, as after
 * a {@code kill -9} of the driver.
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

    /** Record the entries that exist before a run. */
    static SharedMemory beforeRun() {
        return new SharedMemory(Path.of("/dev/shm"), ProcessFiles.ofSystem());
    }

    /** Wait until the run's entries are removed. */
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

    /**
     * {@return whether an entry is unused and the run's, or belongs to a driver without clients}
     */
    private boolean shouldGoAway(Path entry) {
        return users(entry).map(users -> shouldGoAway(entry, users)).orElse(false);
    }

    private boolean shouldGoAway(Path entry, List<Long> users) {
        return users.isEmpty()
                ? !before.contains(entry)
                : users.size() == 1 && processes.mayLeadSession(users.getFirst());
    }

    /** {@return the processes that may use an entry; empty if they are unknown} */
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
            console.message("gradwire: not removed, since a process may still use it: " + entry);
            return;
        }
        try (Stream<Path> tree = Files.walk(entry)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
            console.message("gradwire: removed, since no process uses it: " + entry);
        } catch (IOException | UncheckedIOException e) {
            console.message("gradwire: cannot remove " + entry + ": " + e.getMessage());
        }
    }
}
