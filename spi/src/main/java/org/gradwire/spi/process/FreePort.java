package org.gradwire.spi.process;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses the port of a server that is started later, such as a rendezvous.
 *
 * <p>The system gives connections the ports above these, so no connection takes the port between
 * its choice and its use.
 */
public final class FreePort {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 200;

    private FreePort() {}

    /**
     * {@return a port that is free on this host, as is the next one, for launchers that join}
     *
     * @throws IllegalStateException if none was found
     */
    public static int choose() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port) && isFree(port + 1)) {
                return port;
            }
        }
        throw new IllegalStateException(
                "no two adjacent ports from %d to %d are free; name one yourself"
                        .formatted(FIRST, LAST));
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
