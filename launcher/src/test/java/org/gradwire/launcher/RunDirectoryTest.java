package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** The private directory of a run. */
class RunDirectoryTest {
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static Path parent(Path runtimeDirectory) throws IOException {
        var environment = Map.of("XDG_RUNTIME_DIR", runtimeDirectory.toString());
        try (RunDirectory directory = RunDirectory.create(environment)) {
            assertEquals("rwx------", mode(directory.path()));
            return directory.path().resolveSibling("");
        }
    }

    @Test
    void isInTheUsersRuntimeDirectoryIfThatIsPrivate(@TempDir Path folder) throws IOException {
        Path runtime = Files.createDirectory(folder.resolve("runtime"));
        Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwx------"));
        assertEquals(runtime, parent(runtime));
        Path link = Files.createSymbolicLink(folder.resolve("link"), runtime);
        assertEquals(TEMPORARY, parent(link));
        Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwxr-x---"));
        assertEquals(TEMPORARY, parent(runtime));
        assertEquals(TEMPORARY, parent(folder.resolve("none")));
        assertEquals(TEMPORARY, parent(Path.of("relative")));
        try (RunDirectory directory = RunDirectory.create(Map.of())) {
            assertEquals(TEMPORARY, directory.path().resolveSibling(""));
        }
    }

    @Test
    void runtimeDirectoryOfAnotherUserIsNotUsed(@TempDir Path folder) throws IOException {
        assumeTrue(
                (int) Files.getAttribute(folder, "unix:uid") == 0,
                "skipped: only root can give a folder to another user");
        Path runtime = Files.createDirectory(folder.resolve("runtime"));
        Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwx------"));
        Files.setAttribute(runtime, "unix:uid", 65534);
        assertEquals(TEMPORARY, parent(runtime));
    }

    @Test
    void filesAreReadableForTheirOwnerOnlyAndDeletedWithIt() throws IOException {
        RunDirectory directory = RunDirectory.create(Map.of());
        Path file = directory.write("token", "secret");
        assertEquals("rw-------", mode(file));
        assertEquals("secret", Files.readString(file));
        assertThrows(FileAlreadyExistsException.class, () -> directory.write("token", "x"));
        directory.close();
        assertFalse(Files.exists(directory.path()));
    }

    @Test
    void tokenFileOfTheRunIsDeletedButNotTheUsers(@TempDir Path folder) throws IOException {
        Path own = Files.writeString(folder.resolve("own"), "secret");
        try (RunDirectory directory = RunDirectory.create(Map.of())) {
            Path temporary = directory.path().resolve("token");
            try (var file = TokenFile.provide(new GroupToken.Text("secret"), directory)) {
                assertEquals(
                        Map.of("GRADWIRE_AUTHENTICATION_TOKEN_FILE", temporary.toString()),
                        file.environment());
                assertEquals("secret\n", Files.readString(temporary));
            }
            assertFalse(Files.exists(temporary));
            TokenFile.provide(new GroupToken.InFile(own), directory).close();
            assertTrue(Files.exists(own));
            try (var none = TokenFile.provide(new GroupToken.None(), directory)) {
                assertEquals(Map.of(), none.environment());
            }
        }
    }
}
