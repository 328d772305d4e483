package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

class ProcessFilesTest {
    @TempDir private Path folder = Path.of("");

    @Test
    void readableFilesAreParsed() throws Exception {
        Path process = Files.createDirectory(folder.resolve("7"));
        Files.writeString(process.resolve("environ"), "A=1\0B=2\0");
        Files.writeString(process.resolve("stat"), "7 (a) b) S 1 1 7 0 -1\n");
        Path child = Files.createDirectory(folder.resolve("8"));
        Files.writeString(child.resolve("stat"), "8 (a) S 1 1 7 0 -1\n");
        var files = new ProcessFiles(folder);
        assertEquals(
                Optional.of(List.of(7L, 8L)), files.pids().map(p -> p.stream().sorted().toList()));
        assertTrue(files.environmentHas(7, "A", "1"));
        assertTrue(files.environmentHas(7, "B", "2"));
        assertFalse(files.environmentHas(7, "A", "2"));
        assertTrue(files.mayLeadSession(7));
        assertFalse(files.mayLeadSession(8));
    }

    /** For example, when the launcher is out of file descriptors. */
    @Test
    void anErrorSparesProcesses() throws Exception {
        Path process = Files.createDirectory(folder.resolve("7"));
        for (String name : List.of("environ", "stat", "maps")) {
            Files.createDirectory(process.resolve(name)); // a folder cannot be read as a file
        }
        var files = new ProcessFiles(folder);
        assertFalse(files.environmentHas(7, "A", "1"));
        assertTrue(files.mayLeadSession(7));
        assertTrue(files.mayHaveMapped(7, Path.of("/dev/shm/gradwire")));
        assertEquals(Optional.empty(), new ProcessFiles(folder.resolve("none")).pids());
    }
}
