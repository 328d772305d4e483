package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.console.OutputTarget;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

class SharedMemoryTest {
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
    private final OutputTarget target = new OutputTarget(messages, false, false);
    private final Console console = new Console(target, target);

    @TempDir private Path folder = Path.of("");
    private Path before = Path.of("");

    @BeforeEach
    void makeEarlierEntry() throws IOException {
        before = Files.createFile(folder.resolve("gradwire-earlier"));
    }

    private SharedMemory sharedMemory() {
        return new SharedMemory(folder, ProcessFiles.ofSystem());
    }

    @Test
    void unusedEntriesOfTheRunAreRemoved() throws Exception {
        SharedMemory memory = sharedMemory();
        Path left = Files.createDirectories(folder.resolve("gradwire-new/log")).getParent();
        Files.writeString(folder.resolve("gradwire-new/log/a"), "x");
        Path foreign = Files.createFile(folder.resolve("other"));
        memory.awaitClean(PATIENCE, console);
        assertFalse(Files.exists(left));
        assertTrue(Files.exists(before));
        assertTrue(Files.exists(foreign));
        assertEquals(
                "gradwire: removed, since no process uses it: " + left + "\n",
                messages.toString(UTF_8));
    }

    @Test
    void entryMappedByAnotherProcessStaysWithoutAWait() throws Exception {
        SharedMemory memory = sharedMemory();
        Path used = Files.createDirectory(folder.resolve("gradwire-new"));
        Path file = Files.writeString(used.resolve("cnc"), "x");
        try (var channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var mapped = channel.map(MapMode.READ_WRITE, 0, 1);
            memory.awaitClean(Duration.ofDays(1), console);
            assertEquals('x', mapped.get(0));
        }
        assertTrue(Files.exists(file));
        assertEquals("", messages.toString(UTF_8));
    }

    /** Add a process that has the shared memory mapped. */
    private static void addUser(Path processes, int pid, int session, Path entry)
            throws IOException {
        Path process = Files.createDirectory(processes.resolve("" + pid));
        Files.writeString(process.resolve("stat"), pid + " (java) S 1 1 " + session + " 0 -1\n");
        Files.writeString(process.resolve("maps"), "70-71 rw-s 0 00:1a 5  " + entry + "/cnc\n");
    }

    @Test
    void driverWithoutClientsIsAwaitedAndKeepsItsFiles(@TempDir Path processes) throws Exception {
        var memory = new SharedMemory(folder, new ProcessFiles(processes));
        Path entry = Files.createDirectory(folder.resolve("gradwire-new"));
        addUser(processes, 7, 7, entry);
        memory.awaitClean(PATIENCE, console);
        assertTrue(Files.exists(entry));
        assertEquals(
                "gradwire: not removed, since a process may still use it: " + entry + "\n",
                messages.toString(UTF_8));
    }

    @Test
    void driverWithOtherClientsIsNotAwaited(@TempDir Path processes) throws Exception {
        var memory = new SharedMemory(folder, new ProcessFiles(processes));
        Path entry = Files.createDirectory(folder.resolve("gradwire-new"));
        addUser(processes, 7, 7, entry);
        addUser(processes, 8, 1, entry);
        memory.awaitClean(Duration.ofDays(1), console);
        assertTrue(Files.exists(entry));
        assertEquals("", messages.toString(UTF_8));
    }

    @Test
    void entryThatAnUnreadableProcessMayUseStays(@TempDir Path processes) throws Exception {
        var memory = new SharedMemory(folder, new ProcessFiles(processes));
        Path entry = Files.createDirectory(folder.resolve("gradwire-new"));
        Files.createDirectories(processes.resolve("7/maps")); // reading a folder is an error
        memory.awaitClean(PATIENCE, console);
        assertTrue(Files.exists(entry));
    }

    @Test
    void nothingIsRemovedWhenProcessesCannotBeListed(@TempDir Path processes) throws Exception {
        var memory = new SharedMemory(folder, new ProcessFiles(processes.resolve("missing")));
        Path entry = Files.createDirectory(folder.resolve("gradwire-new"));
        memory.awaitClean(PATIENCE, console);
        assertTrue(Files.exists(entry));
    }

    @Test
    void cleanMachineNeedsNoWait() throws Exception {
        sharedMemory().awaitClean(Duration.ofDays(1), console);
        assertEquals("", messages.toString(UTF_8));
    }
}
