package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Workers use the class data sharing archive only at the location for which it was built, and the
 * modules of devices where the distribution has them.
 */
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
    void modulesOfDevicesComeWithTheirFlag() throws IOException {
        var distribution = new Distribution(home);
        assertEquals(List.of(), distribution.deviceLibs());
        assertEquals(List.of(), distribution.deviceFlags());
        Path cuda = Files.createDirectory(home.resolve("cuda-lib"));
        assertEquals(List.of(cuda), distribution.deviceLibs());
        assertEquals(
                List.of("--enable-native-access=org.gradwire.device.cuda"),
                distribution.deviceFlags());
    }

    @Test
    void archiveIsUsedWhereItWasBuilt() throws IOException {
        Files.writeString(place, home + "\n");
        assertEquals(
                List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off,aot*=off"), flags());
    }

    @Test
    void cacheOfTheDriverIsUsedWhereItWasBuilt(@TempDir Path folder) throws IOException {
        Path blank = Files.createDirectory(folder.resolve("with blank"));
        for (Path distribution : List.of(home, blank)) {
            Files.createFile(distribution.resolve("driver.aot"));
            Files.writeString(distribution.resolve("lib.jsa.place"), distribution + "\n");
        }
        assertEquals(
                List.of(
                        "-Dgradwire.tensorpipe.driver-jvm-flags=-XX:AOTCache="
                                + home.resolve("driver.aot")),
                new Distribution(home).driverCache());
        assertEquals(List.of(), new Distribution(blank).driverCache());
        Files.delete(place);
        assertEquals(List.of(), new Distribution(home).driverCache());
    }

    @Test
    void notInACopy(@TempDir Path original) throws IOException {
        Files.writeString(place, original + "\n");
        assertEquals(List.of(), flags());
    }

    @Test
    void notAfterAMove() throws IOException {
        Files.writeString(place, home.resolveSibling("gone") + "\n");
        assertEquals(List.of(), flags());
    }

    @Test
    void notWithoutARecordedLocation() {
        assertEquals(List.of(), flags());
    }

    @Test
    void notWithAMalformedLocation() throws IOException {
        Files.writeString(place, "\0");
        assertEquals(List.of(), flags());
    }
}
