package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gradwire.backend.tensorpipe.MapSettings;
import org.gradwire.backend.tensorpipe.MapStore;
import org.gradwire.backend.tensorpipe.World;
import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.process.ProcessUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A media driver's directory that other users of the host try to occupy or to read. */
@Timeout(60)
class PrivateDirectoryTest {
    private static final int NOBODY = 65_534;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    @TempDir Path folder;

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void giveToAnotherUser(Path path) throws IOException {
        assumeTrue(ProcessUser.id() == 0, "only root gives files to other users");
        Files.setAttribute(path, "unix:uid", NOBODY);
    }

    private static void assertRefused(Path directory, String why) {
        Map<String, String> settings =
                Map.of("driver", "embedded", "directory", directory.toString());
        var node = new Node(World.info(0), new MapStore(), settings);
        var failure = assertThrows(RpcConfigurationException.class, () -> node.agent.start(node));
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains(directory.toString()), text);
        assertTrue(text.contains(why), text);
        assertTrue(text.contains("gradwire.tensorpipe.directory"), text);
    }

    @Test
    void directoryAndLockAreTheOwnersOnly() throws Exception {
        Path directory = folder.resolve("driver");
        Path lock = new DriverDirectory(directory).lock();
        try (var _ = DirectoryLock.acquire(lock, PATIENCE)) {
            assertEquals(directory, lock.getParent());
            assertEquals("rwx------", permissions(directory));
            assertEquals("rw-------", permissions(lock));
        }
        assertFalse(Files.exists(directory));
    }

    @Test
    void anotherUsersDirectoryIsRefused() throws Exception {
        Path directory = folder.resolve("driver");
        PrivateDirectory.create(directory);
        giveToAnotherUser(directory);
        assertRefused(directory, "belongs to user 65534, not to this process's user 0");
        assertTrue(Files.exists(directory));
        assertFalse(Files.exists(directory.resolve("lock")));
    }

    @Test
    void aDirectoryThatOthersMayEnterIsRefused() throws Exception {
        Path directory = folder.resolve("driver");
        PrivateDirectory.create(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertRefused(directory, "has mode 755; expected 700");
    }

    @Test
    void aSymbolicLinkIsRefused() throws Exception {
        Path target = folder.resolve("target");
        PrivateDirectory.create(target);
        Path directory = Files.createSymbolicLink(folder.resolve("driver"), target);
        assertRefused(directory, "is a symbolic link");
        try (var inside = Files.list(target)) {
            assertEquals(0, inside.count());
        }
    }

    @Test
    void aFileIsRefused() throws Exception {
        assertRefused(Files.createFile(folder.resolve("driver")), "is a file");
    }

    @Test
    void aLockThatIsASymbolicLinkIsNotFollowed() throws Exception {
        Path directory = folder.resolve("driver");
        PrivateDirectory.create(directory);
        Path target = folder.resolve("target");
        Files.createSymbolicLink(directory.resolve("lock"), target);
        assertRefused(directory, "cannot be locked");
        assertFalse(Files.exists(target));
    }

    @Test
    void allWorkersOfAUserHaveTheSameDefaultDirectory() throws Exception {
        TensorPipeOptions options = TensorPipeOptions.read(MapSettings.with(Map.of()), "worker0");
        Path path = DriverDirectory.of(options).path();
        assertEquals(path, DriverDirectory.of(options).path());
        String name = path.getFileName().toString();
        assertTrue(name.matches("gradwire-" + ProcessUser.id() + "(-\\d+)?"), name);
    }

    @Test
    void whatAnotherUserNamesAsAbandonedStays() throws Exception {
        TensorPipeOptions embedded =
                TensorPipeOptions.read(MapSettings.with(Map.of("driver", "embedded")), "worker0");
        String own = DriverDirectory.of(embedded).path().getFileName().toString();
        String prefix = own.substring(0, own.indexOf("-jvm") + 4);
        Path theirs = OperatingSystem.current().sharedMemory().resolve(prefix + "999999999-2");
        PrivateDirectory.create(theirs);
        try {
            giveToAnotherUser(theirs);
            DriverDirectory.deleteAbandoned();
            assertTrue(Files.exists(theirs));
        } finally {
            Files.delete(theirs);
        }
    }
}
