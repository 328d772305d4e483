package org.gradwire.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The processor time of processes. */
class ProcessorTimeTest {
    private static final Duration SOME = Duration.ofMillis(50);

    @Test
    void workIsCounted() {
        var self = List.of(ProcessHandle.current());
        Duration before = ProcessorTime.of(self);
        long x = 1;
        while (ProcessorTime.of(self).minus(before).compareTo(SOME) < 0) {
            x = x * 31 + 1; // until the system has counted it
        }
        assertTrue(ProcessorTime.of(self).compareTo(before) > 0, "x is " + x);
    }

    @Test
    void processesAreFoundByAnArgument() throws Exception {
        String mark = UUID.randomUUID().toString();
        Process process = new ProcessBuilder("sh", "-c", "read line", mark).start();
        try {
            assertEquals(
                    List.of(process.pid()),
                    ProcessorTime.named(mark).stream().map(ProcessHandle::pid).toList());
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertEquals(List.of(), ProcessorTime.named(mark));
    }
}
