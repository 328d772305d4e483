package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.CheckpointStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Addresses of storages. */
class AddressTest {
    @TempDir Path directory;

    @Test
    void pathsAndFileUrisAreDirectories() {
        for (String address : new String[] {directory.toString(), directory.toUri().toString()}) {
            assertEquals(directory.toString(), CheckpointStorage.of(address).toString());
        }
        assertEquals("a/b", CheckpointStorage.of("a/b").toString());
    }

    @Test
    void anUnknownSchemeIsNamed() {
        String message =
                String.valueOf(
                        assertThrows(
                                        IllegalArgumentException.class,
                                        () -> CheckpointStorage.of("gs://bucket/prefix"))
                                .getMessage());
        assertTrue(
                message.startsWith("no storage has the scheme of 'gs://bucket/prefix'; use a dire"),
                message);
    }
}
