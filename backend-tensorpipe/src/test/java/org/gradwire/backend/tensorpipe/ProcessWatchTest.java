package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The end of processes, as it is seen by handles of the system. */
class ProcessWatchTest {
    private final List<Process> started = new ArrayList<>();
    private final ProcessWatch watch = new ProcessWatch();

    private ProcessIdentity start() throws IOException {
        Process process = new ProcessBuilder("sleep", "600").start();
        started.add(process);
        return ProcessIdentity.ofLiving(process.pid()).orElseThrow();
    }

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
        watch.close();
    }

    private static long descriptors() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(ProcessWatchTest::isOfProcess).count();
        }
    }

    private static boolean isOfProcess(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("pidfd");
        } catch (IOException _) {
            return false; // the one that lists
        }
    }

    @Test
    void ofManyItSeesWhichHaveEnded() throws Exception {
        List<ProcessIdentity> processes = List.of(start(), start(), start());
        processes.forEach(watch::follow);
        watch.look();
        for (ProcessIdentity process : processes) {
            assertTrue(watch.follows(process));
            assertFalse(watch.hasEnded(process));
        }
        started.get(1).destroyForcibly().waitFor();
        assertFalse(watch.hasEnded(processes.get(1)), "it has not looked since");
        watch.look();
        assertFalse(watch.hasEnded(processes.get(0)));
        assertTrue(watch.hasEnded(processes.get(1)));
        assertFalse(watch.hasEnded(processes.get(2)));
    }

    @Test
    void aProcessThatIsNotFollowedIsLookedAt() throws Exception {
        ProcessIdentity process = start();
        assertFalse(watch.follows(process));
        assertFalse(watch.hasEnded(process));
        started.getFirst().destroyForcibly().waitFor();
        assertTrue(watch.hasEnded(process));
    }

    @Test
    void aProcessWhoseNumberIsAnothersByNowHasEnded() throws Exception {
        long handles = descriptors();
        ProcessIdentity later = start();
        var earlier = new ProcessIdentity(later.pid(), later.startTicks() - 1);
        watch.follow(earlier);
        assertFalse(watch.follows(earlier));
        assertTrue(watch.hasEnded(earlier));
        assertEquals(handles, descriptors(), "no handle of the later one is left");
    }

    @Test
    void aNumberThatNoProcessCanHaveKeepsNoneFromBeingFollowed() throws Exception {
        for (long number : new long[] {1L << 40, -1, 0}) {
            var none = new ProcessIdentity(number, 1);
            watch.follow(none);
            assertFalse(watch.follows(none));
            assertTrue(watch.hasEnded(none));
        }
        ProcessIdentity process = start();
        watch.follow(process);
        assertTrue(watch.follows(process));
    }

    @Test
    void itLetsGoOfThoseThatAreFollowedNoMore() throws Exception {
        long handles = descriptors();
        ProcessIdentity kept = start();
        ProcessIdentity left = start();
        watch.follow(left);
        watch.follow(kept);
        watch.follow(kept);
        assertEquals(handles + 2, descriptors());
        watch.retain(Set.of(kept));
        assertFalse(watch.follows(left));
        assertEquals(handles + 1, descriptors());
        started.getFirst().destroyForcibly().waitFor();
        watch.look();
        assertTrue(watch.hasEnded(kept), "the other one is looked at as before");
        watch.close();
        assertEquals(handles, descriptors());
    }
}
