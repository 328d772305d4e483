package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.backend.tensorpipe.seal.RekeyLimits;
import org.gradwire.spi.crypto.AeadAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

class PairHandoverTest {
    @TempDir Path folder;

    private static PairHandover handover(String host) {
        var secret = new PairSecret(AeadAlgorithm.CHACHA20_POLY1305, true, new byte[32]);
        return new PairHandover(
                new InetSocketAddress(host, 54_321), secret, new RekeyLimits(1L << 35));
    }

    private Path given(String host) throws Exception {
        handover(host).give(folder);
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertEquals(1, all.size(), all.toString());
            return all.getFirst();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.7", "fe80::7"})
    void theFileIsPrivateAndIsReadOnce(String host) throws Exception {
        Path file = given(host);
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        PairHandover taken = Objects.requireNonNull(PairHandover.take(file));
        assertFalse(Files.exists(file));
        assertNull(PairHandover.take(file));
        PairHandover given = handover(host);
        assertEquals(given.own(), taken.own());
        assertEquals(given.limits(), taken.limits());
        assertEquals(given.secret().session(true), taken.secret().session(true));
        assertEquals(given.secret().session(false), taken.secret().session(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rwx------"})
    void aFileThatOthersMayReadIsDeletedAndNotUsed(String permissions) throws Exception {
        Path file = given("10.0.0.7");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        assertNull(PairHandover.take(file));
        assertFalse(Files.exists(file));
    }

    @Test
    void aLinkOrADamagedFileIsNotUsed() throws Exception {
        Path file = given("10.0.0.7");
        Path link = Files.createSymbolicLink(folder.resolve("pair-0"), file);
        assertNull(PairHandover.take(link));
        assertFalse(Files.exists(link));
        Files.write(file, List.of("short"));
        assertNull(PairHandover.take(file));
    }

    @Test
    void anUnfinishedFileOfAnotherProcessIsNotReplaced() throws Exception {
        Path file = given("10.0.0.7");
        Files.move(file, folder.resolve("new-" + file.getFileName()));
        assertThrows(FileAlreadyExistsException.class, () -> handover("10.0.0.7").give(folder));
    }
}
