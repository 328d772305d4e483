package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The idle strategy of a driver sleeps on its doorbell. */
class DriverIdleTest {
    private static final int TURNS = 3_000; // half a minute if each slept for 10 ms

    @TempDir private Path folder;

    @Test
    @Timeout(15)
    void whoFindsWorkAfterArmingTheBellDoesNotSleep() {
        assumeTrue(LibC.isAvailable(), "no futexes here");
        try (var bell = Doorbell.create(folder.resolve("bell"), 0);
                var sockets = new DriverSockets();
                var network = new DriverIdleStrategy(bell, sockets)) {
            var idle = new DriverIdle(bell, network);
            for (int turn = 0; turn < TURNS; turn++) {
                idle.idle(0);
                assertTrue(bell.isArmed());
                idle.idle(1);
                assertFalse(bell.isArmed());
            }
        }
    }
}
