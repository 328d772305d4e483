package org.gradwire.attack.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Measures a victim from another process. */
final class Probe {
    private static final Pattern LIVE = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    private static final Pattern METASPACE = Pattern.compile("sun.gc.metaspace.used=(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
    private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)");
    private static final Pattern SHARED = Pattern.compile("^(\\d+)");

    private final long pid;
    private final Path log;
    private final Path directory;

    Probe(long pid, Path log, Path directory) {
        this.pid = pid;
        this.log = log;
        this.directory = directory;
    }

    /** Measure after a full collection. */
    VictimMetrics measure() throws IOException {
        long heap = number(LIVE, jcmd("GC.class_histogram"));
        long metaspace = number(METASPACE, jcmd("PerfCounter.print"));
        String status = Files.readString(proc("status"));
        return new VictimMetrics(
                heap,
                metaspace,
                number(RESIDENT, status) << 10,
                count(proc("fd")),
                number(THREADS, status),
                shared(),
                Files.size(log));
    }

    private Path proc(String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }

    private String jcmd(String command) throws IOException {
        return Commands.output(List.of(Commands.tool("jcmd"), Long.toString(pid), command));
    }

    private long shared() throws IOException {
        if (!Files.exists(directory)) {
            return 0;
        }
        return number(
                SHARED, Commands.output(List.of("du", "--summarize", "-B1", directory.toString())));
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    private static long number(Pattern pattern, String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("no " + pattern + " in '" + text + "'");
        }
        return Long.parseLong(matcher.group(1));
    }
}
