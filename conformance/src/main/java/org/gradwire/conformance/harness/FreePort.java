package org.gradwire.conformance.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Chooses a port below those that the system gives to connections, so that none takes it first. */
final class FreePort {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;

    private FreePort() {}

    /** {@return a port of this host that is free} */
    static int choose() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException _) {
                // in use: another one
            }
        }
    }
}
