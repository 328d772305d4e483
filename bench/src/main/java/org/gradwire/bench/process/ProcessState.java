package org.gradwire.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources that a process of Linux holds.
 *
 * @param shareBytes its share of memory (PSS): pages of several processes count in equal parts
 * @param residentBytes its resident memory
 * @param files its open file handles
 * @param threads its threads
 */
public record ProcessState(long shareBytes, long residentBytes, long files, long threads) {
    private static final long KIB = 1024;

    /** {@return the present state of a process} */
    public static ProcessState of(ProcessHandle process) throws IOException {
        Path folder = Path.of("/proc", Long.toString(process.pid()));
        String memory = Files.readString(folder.resolve("smaps_rollup"));
        return new ProcessState(
                bytes(memory, "Pss"),
                bytes(memory, "Rss"),
                entries(folder.resolve("fd")),
                entries(folder.resolve("task")));
    }

    /** {@return a number of bytes in a text of {@code smaps_rollup}} */
    static long bytes(String memory, String name) throws IOException {
        Matcher line =
                Pattern.compile("^" + name + ": +(\\d+) kB$", Pattern.MULTILINE).matcher(memory);
        if (!line.find()) {
            throw new IOException("smaps_rollup has no " + name + ":\n" + memory);
        }
        return Long.parseLong(line.group(1)) * KIB;
    }

    private static long entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.count();
        }
    }
}
