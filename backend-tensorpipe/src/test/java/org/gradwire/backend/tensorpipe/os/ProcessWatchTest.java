package org.gradwire.backend.tensorpipe.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.Child;
import org.gradwire.backend.tensorpipe.NativeOnly;
import org.gradwire.spi.OsNative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The end of processes, detected by handles of the system. */
class ProcessWatchTest {
    private final List<Process> started = new ArrayList<>();
    private final ProcessWatch watch = new ProcessWatch();

    @TempDir Path driver;

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
            return false; // the descriptor of this listing
        }
    }

    @NativeOnly("pidfd")
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

    @NativeOnly("pidfd")
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

    @NativeOnly("pidfd")
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
    void withoutFileDescriptorsOnlyACertainEndIsAnEnd() throws Exception {
        ProcessIdentity living = start();
        ProcessIdentity ended = start();
        started.getLast().destroyForcibly().waitFor();
        Files.createDirectory(driver.resolve("aeron"));
        Files.write(driver.resolve("aeron").resolve("cnc.dat"), new byte[10]);
        try (var child =
                Child.withDescriptors(
                        128,
                        StarvedLook.class,
                        Long.toString(living.pid()),
                        Long.toString(living.startTicks()),
                        Long.toString(ended.pid()),
                        Long.toString(ended.startTicks()),
                        driver.toString())) {
            String followed = " followed: " + LibC.isAvailable();
            // Only Linux reports the absence of a process without a descriptor.
            String starved = OsNative.hasProc() ? "ENDED true" : "UNKNOWN false";
            child.await(line -> line.equals("before: RUNNING false ENDED true"));
            child.await(line -> line.equals("before" + followed));
            child.await(line -> line.equals("before driver: none"));
            child.await(line -> line.equals("without: UNKNOWN false " + starved));
            child.await(line -> line.equals("without followed: false"));
            child.await(line -> line.equals("without driver: unknown"));
            child.await(line -> line.equals("after: RUNNING false ENDED true"));
            child.await(line -> line.equals("after" + followed));
            child.await(line -> line.equals("after driver: none"));
        }
    }

    @NativeOnly("pidfd")
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
        assertTrue(watch.hasEnded(kept), "the other process is still followed");
        watch.close();
        assertEquals(handles, descriptors());
    }
}
