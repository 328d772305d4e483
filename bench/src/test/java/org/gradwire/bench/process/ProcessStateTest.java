package org.gradwire.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.io.IOException;

/** The resources of a process. */
class ProcessStateTest {
    private static final String ROLLUP =
            """
            10000-20000 ---p 00000000 00:00 0                    [rollup]
            Rss:              117700 kB
            Pss:               88700 kB
            Pss_Anon:          86100 kB
            """;

    @Test
    void bytesAreThoseOfTheName() throws IOException {
        assertEquals(88_700 * 1024, ProcessState.bytes(ROLLUP, "Pss"));
        assertEquals(117_700 * 1024, ProcessState.bytes(ROLLUP, "Rss"));
        assertThrows(IOException.class, () -> ProcessState.bytes(ROLLUP, "Swap"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisProcessHoldsSomething() throws IOException {
        ProcessState state = ProcessState.of(ProcessHandle.current());
        assertTrue(state.residentBytes() >= state.shareBytes(), state.toString());
        assertTrue(state.shareBytes() > 1 << 20, state.toString());
        assertTrue(state.files() > 0 && state.threads() > 1, state.toString());
    }
}
