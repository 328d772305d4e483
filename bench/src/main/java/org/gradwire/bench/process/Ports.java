package org.gradwire.bench.process;

import org.gradwire.spi.process.FreePort;

import java.net.InetSocketAddress;

/** Ports of the loopback address, and addresses with a port. */
public final class Ports {

    private Ports() {}

    /** {@return a port that is free now} */
    public static String free() {
        return Integer.toString(FreePort.choose());
    }

    /** {@return the address that a text names, {@code HOST:PORT}} */
    public static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
