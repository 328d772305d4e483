package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.List;

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
        return new SharedMemory(folder, Path.of("/proc"));
    }

    @Test
    void whatTheRunLeftAndNobodyUsesIsRemoved() throws Exception {
        SharedMemory memory = sharedMemory();
        Path left = Files.createDirectories(folder.resolve("gradwire-new/log")).getParent();
        Files.writeString(folder.resolve("gradwire-new/log/a"), "x");
        Path foreign = Files.createFile(folder.resolve("other"));
        memory.awaitClean(PATIENCE, console);
        assertFalse(Files.exists(left));
        assertTrue(Files.exists(before));
        assertTrue(Files.exists(foreign));
        assertEquals(
                "gradwire: removed what no process uses any more: " + left + "\n",
                messages.toString(UTF_8));
    }

    @Test
    void whatAProcessHasMappedStays() throws Exception {
        SharedMemory memory = sharedMemory();
        Path used = Files.createDirectory(folder.resolve("gradwire-new"));
        Path file = Files.writeString(used.resolve("cnc"), "x");
        try (var channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var mapped = channel.map(MapMode.READ_WRITE, 0, 1);
            memory.awaitClean(PATIENCE, console);
            assertEquals('x', mapped.get(0));
        }
        assertTrue(Files.exists(file));
        assertTrue(messages.toString(UTF_8).contains("left in place"), messages.toString(UTF_8));
    }

    @Test
    void whatOthersUseTooIsNotWaitedFor(@TempDir Path processes) throws Exception {
        SharedMemory memory = new SharedMemory(folder, processes);
        Path shared = Files.createDirectory(folder.resolve("gradwire-new"));
        for (String pid : List.of("1", "2")) {
            Path maps = Files.createDirectory(processes.resolve(pid)).resolve("maps");
            Files.writeString(maps, "7f00-7f10 rw-s 0 00:1a 5  " + shared + "/cnc.dat\n");
        }
        memory.awaitClean(Duration.ofDays(1), console);
        assertTrue(Files.exists(shared));
        assertEquals("", messages.toString(UTF_8));
    }

    @Test
    void cleanMachineIsNotWaitedFor() throws Exception {
        sharedMemory().awaitClean(Duration.ofDays(1), console);
        assertEquals("", messages.toString(UTF_8));
    }
}
