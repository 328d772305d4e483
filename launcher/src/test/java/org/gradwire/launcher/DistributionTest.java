package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Workers get the archive of classes at the place for which it was made only. */
class DistributionTest {
    private Path home;
    private Path archive;
    private Path place;

    @BeforeEach
    void create(@TempDir Path folder) throws IOException {
        home = Files.createDirectory(folder.resolve("dist"));
        archive = Files.createFile(home.resolve("lib.jsa"));
        place = home.resolve("lib.jsa.place");
    }

    private List<String> flags() {
        return new Distribution(home).classArchive();
    }

    @Test
    void whereItWasBuilt() throws IOException {
        Files.writeString(place, home + "\n");
        assertEquals(
                List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off,aot*=off"), flags());
    }

    @Test
    void notInACopy(@TempDir Path original) throws IOException {
        Files.writeString(place, original + "\n");
        assertEquals(List.of(), flags());
    }

    @Test
    void notWhereItWasMovedTo() throws IOException {
        Files.writeString(place, home.resolveSibling("gone") + "\n");
        assertEquals(List.of(), flags());
    }

    @Test
    void notWhereNobodyToldThePlace() {
        assertEquals(List.of(), flags());
    }

    @Test
    void notWhereThePlaceIsRubbish() throws IOException {
        Files.writeString(place, "\0");
        assertEquals(List.of(), flags());
    }
}
