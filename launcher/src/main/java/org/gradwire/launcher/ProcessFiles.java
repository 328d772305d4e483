package org.gradwire.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads information on processes from Linux's {@code /proc}; empty on systems without it.
 *
 * @param folder {@code /proc}
 */
record ProcessFiles(Path folder) {
    private static final int SESSION = 3; // of the fields after the command in "stat"

    /** Return the files of this system. */
    static ProcessFiles ofSystem() {
        return new ProcessFiles(Path.of("/proc"));
    }

    /** {@return the ids of all processes; empty if they cannot be read} */
    Optional<List<Long>> pids() {
        try (Stream<Path> entries = Files.list(folder)) {
            return Optional.of(
                    entries.map(entry -> entry.getFileName().toString())
                            .filter(name -> name.matches("\\d+"))
                            .map(Long::valueOf)
                            .toList());
        } catch (IOException | UncheckedIOException _) {
            return Optional.empty();
        }
    }

    /** {@return whether the initial environment of a process is known to have this value} */
    boolean environmentHas(long pid, String name, String value) {
        return read(pid, "environ")
                .map(text -> ("\0" + text).contains("\0" + name + "=" + value + "\0"))
                .orElse(false);
    }

    /**
     * {@return whether a process has a file, or one in a folder, mapped into its memory} Also true
     * when the process exists and reading its memory map fails, unless the kernel denies access, as
     * for processes of other users. The processes of a run are readable.
     */
    boolean mayHaveMapped(long pid, Path file) {
        Path process = folder.resolve(Long.toString(pid));
        try {
            return Files.readString(process.resolve("maps"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .anyMatch(line -> line.endsWith(" " + file) || line.contains(" " + file + "/"));
        } catch (AccessDeniedException _) {
            return false;
        } catch (IOException _) {
            return !Files.notExists(process);
        }
    }

    /**
     * {@return whether a process leads a session, as a daemon does; also true if that cannot be
     * read}
     */
    boolean mayLeadSession(long pid) {
        return read(pid, "stat").map(stat -> leadsSession(pid, stat)).orElse(true);
    }

    private static boolean leadsSession(long pid, String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > SESSION && fields[SESSION].equals(Long.toString(pid));
    }

    /** {@return a file's text; empty if the process has ended or the file cannot be read} */
    private Optional<String> read(long pid, String file) {
        try {
            // ISO-8859-1 decodes any byte.
            return Optional.of(
                    Files.readString(
                            folder.resolve(Long.toString(pid)).resolve(file),
                            StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
