package org.gradwire.bench.recovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the remains of a group: processes, files in the folder of its runs, and shared memory.
 *
 * @param mark a variable in the environment of its processes, with its value
 * @param folder where its files are created; empty before
 * @param before the entries in shared memory before
 */
record Leftovers(String mark, Path folder, Set<String> before) {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Remember what exists before a group starts. */
    static Leftovers before(String mark, Path folder) throws IOException {
        return new Leftovers(mark, folder, entries(SHARED_MEMORY));
    }

    private static Set<String> entries(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Set.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(Path::toString).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** {@return the remains; empty if there are none} */
    List<String> find() throws IOException {
        List<String> left = new ArrayList<>();
        ProcessHandle.allProcesses()
                .filter(this::isMarked)
                .forEach(process -> left.add("process " + process.pid()));
        left.addAll(entries(folder));
        entries(SHARED_MEMORY).stream().filter(entry -> !before.contains(entry)).forEach(left::add);
        return left;
    }

    private boolean isMarked(ProcessHandle process) {
        try {
            Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
            return List.of(Files.readString(environment).split("\0")).contains(mark);
        } catch (IOException _) {
            return false; // it has ended, or is another user's
        }
    }
}
