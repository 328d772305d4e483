package org.gradwire.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spark.SparkGroupException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class ExecutorHostTest {
    @TempDir Path folder = Path.of("");

    private Path jdk(String release) throws IOException {
        Path java = folder.resolve("bin/java");
        Files.createDirectories(folder.resolve("bin"));
        Files.createFile(java);
        assertTrue(java.toFile().setExecutable(true));
        Files.writeString(folder.resolve("release"), release);
        return folder;
    }

    @Test
    void versionOfAJdkIsThatOfItsReleaseFile() throws IOException {
        Path jdk = jdk("IMPLEMENTOR=\"E\"\nJAVA_VERSION=\"25.0.3\"\nJAVA_VERSION_DATE=\"x\"\n");
        assertEquals(25, ExecutorHost.javaVersion(jdk));
    }

    @Test
    void folderWithoutAReleaseOrAJavaIsNoJdk() throws IOException {
        assertEquals(0, ExecutorHost.javaVersion(folder));
        Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"25\"\n");
        assertEquals(0, ExecutorHost.javaVersion(folder));
    }

    @Test
    void releaseWithoutAVersionIsNoJdk() throws IOException {
        assertEquals(0, ExecutorHost.javaVersion(jdk("OS=\"Linux\"\n")));
    }

    @Test
    void ownJdkIsFound() {
        assertEquals(
                Runtime.version().feature(),
                ExecutorHost.javaVersion(Path.of(System.getProperty("java.home"))));
    }

    @Test
    void distributionIsTheFolderOrThatOfACheckout() throws IOException {
        Path dist = folder.resolve("dist/target/dist");
        Files.createDirectories(dist.resolve("lib"));
        var incomplete =
                assertThrows(SparkGroupException.class, () -> ExecutorHost.distribution(folder));
        assertEquals(Reason.NO_DISTRIBUTION, incomplete.reason());
        Files.createDirectories(dist.resolve("launcher"));
        assertEquals(dist, ExecutorHost.distribution(folder));
        assertEquals(dist, ExecutorHost.distribution(dist));
    }
}
