package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two workers on the distribution, in the parts of containers: namespaces with a small {@code
 * /dev/shm}, a read-only root, hidden processes, another user, a quota of processor time. Each
 * set-up ends with a command that fails if the set-up had no effect.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "namespaces are Linux's")
@EnabledIfSystemProperty(
        named = "architecture.long",
        matches = "true",
        disabledReason = "half a minute, as root; -Darchitecture.long=true")
class ContainersTest {
    private static final String GREETING = "worker0 | hello you from worker1\n";
    private static final String SMALL = "mount -t tmpfs -o size=%s tmpfs /dev/shm";
    private static final String NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    private static final String READ_ONLY_ROOT =
            "mount -t tmpfs tmpfs /dev/shm && mount -t tmpfs tmpfs /tmp"
                    + " && mount -o remount,ro,bind / && ! touch /gradwire 2>&-";
    private static final String READ_ONLY_TEMPORARY =
            "mount -t tmpfs tmpfs /dev/shm && mount -t tmpfs -o ro tmpfs /tmp && ! touch /tmp/x 2>&-";
    private static final long PATIENCE_SECONDS = 90;

    private record Ended(int status, String text) {}

    @BeforeEach
    void requireRoot() throws IOException {
        assumeTrue(
                (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0,
                "only root can create namespaces");
    }

    /** Run the program hello after a set-up, with a command prefix that may change the user. */
    private static Ended hello(String setUp, String prefix, String... options) throws Exception {
        Path lib = Reactor.distribution().resolve("launcher");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "unshare",
                                "--mount",
                                "--propagation",
                                "private",
                                "sh",
                                "-c",
                                setUp + " && exec " + prefix + " \"$@\"",
                                "container",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "--module-path",
                                lib.toString(),
                                "--module",
                                "org.gradwire.launcher/org.gradwire.launcher.Main",
                                "run"));
        command.addAll(List.of(options));
        command.add("hello");
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("XDG_RUNTIME_DIR");
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), text);
            return new Ended(process.exitValue(), text);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void assertGreets(String setUp, String prefix, String... options)
            throws Exception {
        assertEquals(new Ended(0, GREETING), hello(setUp, prefix, options));
    }

    private static void assertRefused(Ended ended, String... sayings) {
        assertTrue(ended.status() != 0, ended::text);
        for (String saying : sayings) {
            assertTrue(ended.text().contains(saying), ended::text);
        }
    }

    @Test
    void dockersSharedMemoryIsEnough() throws Exception {
        assertGreets(SMALL.formatted("64m"), "");
    }

    @Test
    void tooLittleSharedMemoryIsAnErrorWithTheRemedy() throws Exception {
        assertRefused(
                hello(SMALL.formatted("16m"), ""),
                "/dev/shm has 16.0 MiB left, and 18.0 MiB are needed; give it more",
                "--shm-size=1g",
                "or name another directory with gradwire.tensorpipe.directory");
    }

    @Test
    void anotherDirectoryReplacesTooSmallSharedMemory() throws Exception {
        assertGreets(
                SMALL.formatted("16m") + " && mount -t tmpfs tmpfs /tmp",
                "",
                "--env",
                "GRADWIRE_TENSORPIPE_DIRECTORY=/tmp/driver");
    }

    @Test
    void readOnlyRootIsNotWritten() throws Exception {
        assertGreets(READ_ONLY_ROOT + " && export XDG_CACHE_HOME=/tmp/cache", "");
    }

    @Test
    void readOnlyTemporaryDirectoryIsAnErrorWithTheRemedy() throws Exception {
        assertRefused(
                hello(READ_ONLY_TEMPORARY, ""),
                "/tmp",
                "Read-only file system",
                "set XDG_RUNTIME_DIR to a directory of yours");
    }

    @Test
    void anotherFolderReplacesAReadOnlyTemporaryDirectory() throws Exception {
        assertGreets(
                READ_ONLY_TEMPORARY
                        + " && mkdir -m 700 /dev/shm/run && export XDG_RUNTIME_DIR=/dev/shm/run",
                "");
    }

    @Test
    void workersNeedNoPrivileges() throws Exception {
        assertGreets(
                "mount -t tmpfs tmpfs /tmp && chmod 1777 /tmp",
                NOBODY + " env HOME=/tmp/home XDG_CACHE_HOME=/tmp/cache");
    }

    @Test
    void userWithoutAHomeGetsAHintForOpenBlas() throws Exception {
        Ended ended = hello("true", NOBODY + " env -u XDG_CACHE_HOME HOME=/nonexistent");
        assertEquals(0, ended.status(), ended::text);
        assertTrue(ended.text().contains(GREETING), ended::text);
        assertTrue(
                ended.text().contains("set XDG_CACHE_HOME to a folder that can be written"),
                ended::text);
    }

    @Test
    void processesOfOtherUsersMayBeHidden() throws Exception {
        assertGreets(
                "mount -t proc -o hidepid=2 proc /proc && ! "
                        + NOBODY
                        + " ls -d /proc/1 2>&- && mount -t tmpfs tmpfs /tmp && chmod 1777 /tmp",
                NOBODY + " env XDG_CACHE_HOME=/tmp/cache");
    }

    @Test
    void processIdsMayStartAgain() throws Exception {
        assertGreets("true", "unshare --pid --fork --mount-proc");
    }

    @Test
    void halfAProcessorIsEnough() throws Exception {
        Path group = Path.of("/sys/fs/cgroup/cpu/gradwire-" + ProcessHandle.current().pid());
        assumeTrue(Files.isWritable(Path.of("/sys/fs/cgroup/cpu")), "no cgroups of version 1");
        Files.createDirectory(group);
        try {
            Files.writeString(group.resolve("cpu.cfs_quota_us"), "50000");
            assertEquals("100000", Files.readString(group.resolve("cpu.cfs_period_us")).strip());
            assertGreets("echo $$ > " + group.resolve("cgroup.procs"), "");
        } finally {
            Files.deleteIfExists(group);
        }
    }

    @Test
    void oneProcessorIsEnough() throws Exception {
        assertGreets("true", "", "--jvm-arg=-XX:ActiveProcessorCount=1");
    }
}
