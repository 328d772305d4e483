package org.gradwire.tensor.kernel.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.spi.process.CodePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Optional;

class BlasLibraryTest {
    private static BlasPlatform platform(String osName, String osArch) {
        return BlasPlatform.of(osName, osArch).orElseThrow();
    }

    @Test
    void moduleThatIsNotInTheJvmIsAnsweredWithTheFlagForIt() {
        assertEquals(
                Optional.of(
                        "its module org.bytedeco.openblas.linux.x86_64 is not in this JVM; its jar,"
                                + " org.bytedeco:openblas with the classifier linux-x86_64, belongs on the"
                                + " module path, and --add-modules=ALL-MODULE-PATH among the flags, since no"
                                + " module requires it"),
                BlasLibrary.obstacle(platform("Linux", "amd64"), false, CodePath.MODULE_PATH));
    }

    @Test
    void jarThatIsNotOnTheClassPathIsNamed() {
        assertEquals(
                Optional.of(
                        "its jar, org.bytedeco:openblas with the classifier macosx-arm64, is not on the class path"),
                BlasLibrary.obstacle(platform("Mac OS X", "aarch64"), false, CodePath.CLASS_PATH));
    }

    @Test
    void nothingIsInTheWayWhereItIsFound() {
        assertEquals(
                Optional.empty(),
                BlasLibrary.obstacle(platform("Linux", "amd64"), true, CodePath.MODULE_PATH));
    }

    /** The names are those of the jars at Maven Central; their modules and files were compared. */
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-x86_64, org.bytedeco.openblas.linux.x86_64, libopenblas.so.0",
        "Linux, aarch64, linux-arm64, org.bytedeco.openblas.linux.arm64, libopenblas.so.0",
        "Mac OS X, aarch64, macosx-arm64, org.bytedeco.openblas.macosx.arm64, libopenblas.0.dylib",
        "Mac OS X, x86_64, macosx-x86_64, org.bytedeco.openblas.macosx.x86_64, libopenblas.0.dylib",
        "Windows 11, amd64, windows-x86_64, org.bytedeco.openblas.windows.x86_64, libopenblas.dll"
    })
    void platformsHaveTheirJars(
            String osName, String osArch, String name, String module, String library) {
        BlasPlatform platform = platform(osName, osArch);
        assertEquals(name, platform.name());
        assertEquals(module, platform.module());
        assertEquals(library, platform.library());
        assertEquals("org/bytedeco/openblas/" + name + "/" + library, platform.resource(library));
    }

    @ParameterizedTest
    @CsvSource({"Linux, riscv64", "FreeBSD, amd64", "Windows 11, aarch64"})
    void otherPlatformsHaveNone(String osName, String osArch) {
        assertEquals(Optional.empty(), BlasPlatform.of(osName, osArch));
    }
}
