package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Ceilings that may only fall. */
class CeilingsTest {
    @TempDir Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("ceilings.txt");
        Files.write(file, List.of("# a comment", "", "package a 50", "", "package b 60"));
    }

    @Test
    void presentNumbersPass() {
        var present = Map.of("package a", 50, "package b", 60);
        assertDoesNotThrow(() -> Ceilings.read(file).requireEqual(present));
    }

    @Test
    void eachDifferenceHasItsLine() {
        assertEquals(
                List.of(
                        "fell from 50, write: package a 49",
                        "within the limit, delete: package b 60"),
                Ceilings.read(file).corrections(Map.of("package a", 49)));
        assertEquals(
                List.of("grew from 50: package a 51"),
                Ceilings.read(file).corrections(Map.of("package a", 51, "package b", 60)));
        assertEquals(
                List.of("above the limit, not in the file: package c 46"),
                Ceilings.read(file)
                        .corrections(Map.of("package c", 46, "package a", 50, "package b", 60)));
    }

    @Test
    void failureNamesTheFileAndTheSums() {
        var failure =
                assertThrows(
                        AssertionError.class,
                        () -> Ceilings.read(file).requireEqual(Map.of("package a", 49)));
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.startsWith(file + ": the sum was 110 and is 49."), text);
        assertTrue(text.contains("\nfell from 50, write: package a 49\n"), text);
    }

    @Test
    void rewritingKeepsCommentsAndRefusesGrowth() throws IOException {
        Ceilings.read(file).rewrite(Map.of("package c", 70, "package b", 40));
        assertEquals(
                List.of("# a comment", "", "package b 40", "", "package c 70"),
                Files.readAllLines(file));
        assertThrows(
                AssertionError.class,
                () -> Ceilings.read(file).rewrite(Map.of("package b", 41, "package c", 70)));
        assertThrows(
                AssertionError.class,
                () -> Ceilings.read(file).rewrite(Map.of("package b", 41, "package c", 60)),
                "one grew, though the sum fell");
    }
}
