package org.gradwire.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback address. */
final class Ports {

    private Ports() {}

    /** {@return a port that is free now} */
    static String free() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
