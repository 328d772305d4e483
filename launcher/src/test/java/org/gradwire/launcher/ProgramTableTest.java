package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

class ProgramTableTest {
    @TempDir private Path home = Path.of("");

    @BeforeEach
    void makeLib() throws IOException {
        Files.createDirectories(home.resolve("lib"));
    }

    private ProgramTable table() {
        return ProgramTable.collect(new Distribution(home), List.of());
    }

    private void jar(String name, String table) throws IOException {
        Path jar = home.resolve(name);
        Files.createDirectories(jar.getParent());
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry(ProgramTable.RESOURCE));
            zip.write(table.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void programsOfAllJarsAreFound() throws IOException {
        jar("lib/a.jar", "train=a/a.Train\ntrain.description=Größer\ntrain.workers=4\n");
        jar("bench-lib/b.jar", "bench=b/b.Bench\nbench.prefix=false\n");
        assertEquals(
                Optional.of(
                        new Program(
                                new ExecutionTarget("a", "a.Train"),
                                "Größer",
                                Optional.of(4),
                                true,
                                List.of(home.resolve("lib")))),
                table().find("train"));
        assertEquals(
                Optional.of(
                        new Program(
                                new ExecutionTarget("b", "b.Bench"),
                                "",
                                Optional.empty(),
                                false,
                                List.of(home.resolve("lib"), home.resolve("bench-lib")))),
                table().find("bench"));
        assertEquals("  bench\n  train  Größer", table().listing());
    }

    @Test
    void duplicateNameIsAnErrorThatNamesBothJars() throws IOException {
        jar("lib/a.jar", "train=a/a.Train");
        jar("lib/b.jar", "train=b/b.Train");
        var e = assertThrows(LauncherException.class, this::table);
        assertEquals(
                "program 'train' is named by both %s/lib/a.jar and %s/lib/b.jar"
                        .formatted(home, home),
                e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x=NoModule | found 'x=NoModule', expected module/main.Class",
                "X=a/a.B | found 'X', expected a name of lower-case letters",
                "x=a/a.B;x.wrokers=2 | found 'x.wrokers', expected a program's name",
                "x.workers=2 | found 'x.workers', expected a program's name",
                "x=a/a.B;x.workers=0 | found 'x.workers=0', expected a number from 1",
                "x=a/a.B;x.workers=two | found 'x.workers=two', expected a number from 1",
            })
    void mistakesInATableAreErrorsThatNameThem(String table, String problem) throws IOException {
        jar("lib/a.jar", table.replace(';', '\n'));
        var e = assertThrows(LauncherException.class, this::table);
        assertTrue(String.valueOf(e.getMessage()).contains(problem), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains("lib/a.jar"), e.getMessage());
    }
}
