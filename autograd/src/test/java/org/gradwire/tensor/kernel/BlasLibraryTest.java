package org.gradwire.tensor.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.spi.CodePath;
import org.junit.jupiter.api.Test;

import java.util.Optional;

class BlasLibraryTest {
    @Test
    void moduleThatIsNotInTheJvmIsAnsweredWithTheFlagForIt() {
        assertEquals(
                Optional.of(
                        "its module org.bytedeco.openblas.linux.x86_64 is not in this JVM; its jar belongs on the"
                                + " module path, and --add-modules=ALL-MODULE-PATH among the flags, since no module"
                                + " requires it"),
                BlasLibrary.obstacle("linux-amd64", false, CodePath.MODULE_PATH));
    }

    @Test
    void jarThatIsNotOnTheClassPathIsNamed() {
        assertEquals(
                Optional.of("its jar, openblas for linux-x86_64, is not on the class path"),
                BlasLibrary.obstacle("linux-amd64", false, CodePath.CLASS_PATH));
    }

    @Test
    void otherMachineIsNamed() {
        assertEquals(
                Optional.of("this JVM runs on linux-aarch64, and there is one for linux-amd64"),
                BlasLibrary.obstacle("linux-aarch64", true, CodePath.MODULE_PATH));
    }

    @Test
    void nothingIsInTheWayWhereItIsFound() {
        assertEquals(
                Optional.empty(), BlasLibrary.obstacle("linux-amd64", true, CodePath.MODULE_PATH));
    }
}
