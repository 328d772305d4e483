package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gradwire.backend.tensorpipe.Calls;
import org.gradwire.backend.tensorpipe.Child;
import org.gradwire.backend.tensorpipe.MapSettings;
import org.gradwire.backend.tensorpipe.MapStore;
import org.gradwire.backend.tensorpipe.World;
import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.rpc.RpcConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.StandardSocketOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Directories, locks and drivers in this JVM. */
class DriverTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir Path folder;

    @Test
    void aLockIsHeldByOneAtATimeAndLeavesNoFile() throws Exception {
        Path path = folder.resolve("driver").resolve("lock");
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var entered = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int j = 0; j < 20; j++) {
                                    try (var _ = DirectoryLock.acquire(path, 60 * SECOND)) {
                                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                        entered.incrementAndGet();
                                        inside.decrementAndGet();
                                    }
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(160, entered.get());
        assertEquals(1, most.get());
        assertFalse(Files.exists(path.getParent()));
    }

    @Test
    void aLockThatIsNotLetGoIsNamed() {
        Path path = folder.resolve("driver").resolve("lock");
        try (var _ = DirectoryLock.acquire(path, SECOND)) {
            var failure =
                    assertThrows(
                            RpcConfigurationException.class,
                            () -> DirectoryLock.acquire(path, SECOND / 10));
            assertTrue(String.valueOf(failure.getMessage()).contains(path.toString()));
        }
    }

    @Test
    void theLockOfAMissingDirectoryCreatesNothing() {
        Path directory = folder.resolve("driver");
        Path path = directory.resolve("lock");
        assertTrue(DirectoryLock.acquireExisting(path, SECOND).isEmpty());
        assertFalse(Files.exists(directory));
        PrivateDirectory.create(directory);
        try (var _ = DirectoryLock.acquireExisting(path, SECOND).orElseThrow()) {
            assertTrue(Files.exists(path));
        }
        assertFalse(Files.exists(directory));
    }

    @Test
    void filesThatWorkersDeleteMeanwhileDoNotEndTheDeletionOfTheRest() throws Exception {
        var directory = new DriverDirectory(folder.resolve("driver"));
        PrivateDirectory.create(directory.path());
        int count = 2_000;
        for (int i = 0; i < count; i++) {
            Files.createFile(directory.bell(i));
        }
        Files.createFile(directory.log());
        var workers =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; i < count; i += 2) {
                                directory.bell(i).toFile().delete();
                            }
                        });
        try (var _ = DirectoryLock.acquire(directory.lock(), SECOND)) {
            directory.delete();
        }
        workers.join();
        assertFalse(Files.exists(directory.path()));
    }

    @Test
    void processesJoinADriverAtTheSameTimeButNoneStartsOrEndsItMeanwhile() throws Exception {
        Path path = folder.resolve("driver").resolve("lock");
        try (var other = new Child(LockHolder.class, false, path.toString())) {
            other.await(line -> line.equals(LockHolder.HELD));
            try (var _ = DirectoryLock.acquireShared(path, SECOND)) {
                assertTrue(Files.exists(path));
            }
            assertThrows(
                    RpcConfigurationException.class,
                    () -> DirectoryLock.acquire(path, SECOND / 10));
            other.end();
        }
        try (var _ = DirectoryLock.acquire(path, SECOND)) {
            assertThrows(
                    RpcConfigurationException.class,
                    () -> DirectoryLock.acquireShared(path, SECOND / 10));
        }
        assertFalse(Files.exists(path), "the holder of the lock leaves no file");
    }

    @Test
    void anEmbeddedDriverServesAllWorkersOfItsJvmAndEndsAfterThem() throws Exception {
        Map<String, String> settings =
                Map.of("driver", "embedded", "directory", folder.resolve("driver").toString());
        var directory = new DriverDirectory(folder.resolve("driver"));
        for (int round = 0; round < 2; round++) {
            try (var first = new World(2, settings);
                    var second = new World(2, settings)) {
                assertEquals(
                        ProcessHandle.current().pid(), directory.liveDriver().orElseThrow().pid());
                Calls.get(first.node(0).call(1, World.request(new byte[0])));
                Calls.get(second.node(0).call(1, World.request(new byte[0])));
            }
        }
        long deadline = System.nanoTime() + 20 * SECOND;
        while (Files.exists(directory.path())) {
            assertTrue(System.nanoTime() < deadline, "the directory is deleted");
            TimeUnit.MILLISECONDS.sleep(5); // interval between checks only
        }
    }

    @Test
    void aSharedDriversJvmHasTheFlagsOfTheSetting() throws Exception {
        Map<String, String> settings =
                Map.of(
                        "driver",
                        "shared",
                        "driver-jvm-flags",
                        " -Dfirst=1  -XX:AOTCache=" + folder.resolve("missing.aot"),
                        "directory",
                        folder.resolve("driver").toString());
        try (var world = new World(2, settings)) {
            var driver = new DriverDirectory(folder.resolve("driver")).liveDriver().orElseThrow();
            List<String> words =
                    List.of(
                            Files.readString(Path.of("/proc", "" + driver.pid(), "cmdline"))
                                    .split("\0", -1));
            assertTrue(words.contains("-Dfirst=1"), words::toString);
            assertTrue(
                    words.contains("-XX:AOTCache=" + folder.resolve("missing.aot")),
                    words::toString);
            Calls.get(world.node(0).call(1, World.request(new byte[0])));
        }
    }

    @Test
    void socketsGetTheLargestBufferThatTheSystemPermits() throws Exception {
        Path limit = Path.of("/proc/sys/net/core/rmem_max");
        assumeTrue(Files.exists(limit), "only Linux reports the largest buffer");
        long most = Long.parseLong(Files.readAllLines(limit).getFirst());
        assertEquals(
                Math.min(most, DriverKeeper.MAX_SOCKET_BUFFER),
                DriverKeeper.socketBuffer(StandardSocketOptions.SO_RCVBUF));
    }

    @Test
    void aWorkersBellIsFoundByItsStream() {
        assumeTrue(LibC.isAvailable(), "no bells here");
        var directory = new DriverDirectory(folder);
        try (var _ = Doorbell.create(directory.driverBell(), 7);
                var _ = Doorbell.create(directory.bell(1), 41);
                var second = Doorbell.create(directory.bell(2), 42)) {
            second.arm();
            Doorbell found = Objects.requireNonNull(directory.bellOfStream(42));
            assertTrue(found.isArmed());
            assertNull(directory.bellOfStream(43), "nobody's");
            assertNull(directory.bellOfStream(7), "the driver's");
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamedWithItsSetting() {
        Map<String, String> settings =
                Map.of("driver", "embedded", "directory", "/proc/nowhere/driver");
        var node = new Node(World.info(0), new MapStore(), settings);
        var failure = assertThrows(RpcConfigurationException.class, () -> node.agent.start(node));
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains("/proc/nowhere/driver"), text);
        assertTrue(text.contains("gradwire.tensorpipe.directory"), text);
    }

    @Test
    void aHostThatIsNotThisOneIsNamedWithItsSetting() {
        Map<String, String> settings =
                Map.of("driver", "embedded", "host", "192.0.2.1", "transport", "udp");
        var store = new MapStore();
        var node = new Node(World.info(0), store, settings);
        var other = new Node(World.info(1), store, settings);
        try {
            node.agent.start(node);
            other.agent.start(other);
            var failure =
                    assertThrows(
                            RpcConfigurationException.class,
                            () -> node.agent.connect(List.of(World.info(1))));
            String text = String.valueOf(failure.getMessage());
            assertTrue(text.contains("192.0.2.1"), text);
            assertTrue(text.contains("gradwire.tensorpipe.host"), text);
            assertEquals("none", node.text("network.endpoint"));
        } finally {
            node.agent.close();
            other.agent.close();
        }
    }

    @Test
    void aLogForWhichThereIsNoRoomIsNamedWithWhatIsNeeded() {
        String text =
                SharedMemory.noRoomForLog(Path.of("/dev/shm"), 1 << 20, SettingKeys.TERM_LENGTH);
        assertTrue(text.contains("3.0 MiB are needed"), text);
        assertTrue(text.contains("a smaller gradwire.tensorpipe.term-length (now 1048576)"), text);
        assertTrue(text.contains(OperatingSystem.current().adviceForRoom()), text);
    }

    @Test
    void abandonedDirectoriesOfEmbeddedDriversAreDeleted() throws Exception {
        String own =
                new DriverDirectory(
                                DriverDirectory.of(
                                                TensorPipeOptions.read(
                                                        MapSettings.with(
                                                                Map.of("driver", "embedded")),
                                                        "worker0"))
                                        .path())
                        .path()
                        .getFileName()
                        .toString();
        String prefix = own.substring(0, own.indexOf("-jvm") + 4);
        Path dead = OperatingSystem.current().sharedMemory().resolve(prefix + "999999999-1");
        Path alive = OperatingSystem.current().sharedMemory().resolve(own + "-x");
        PrivateDirectory.create(dead);
        Files.createDirectory(dead.resolve("aeron"));
        Files.write(dead.resolve("aeron").resolve("cnc.dat"), new byte[10]);
        Files.createDirectories(alive);
        try {
            DriverDirectory.deleteAbandoned();
            assertFalse(Files.exists(dead));
            assertTrue(Files.exists(alive));
        } finally {
            Files.delete(alive);
        }
    }
}
