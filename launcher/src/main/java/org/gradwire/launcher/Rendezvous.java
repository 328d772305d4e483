package org.gradwire.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Where the workers of a group meet. */
final class Rendezvous {

    private Rendezvous() {}

    /**
     * Choose a place for a group that is all on this machine: a port of the loopback address that
     * is free now. Rank 0 binds it a moment later.
     */
    static String onThisMachine() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (var socket = new ServerSocket(0, 1, loopback)) {
            return "tcp://" + loopback.getHostAddress() + ":" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on " + loopback, e);
        }
    }

    /** {@return the place that another launcher's group has} */
    static String join(String address) {
        if (!address.matches("\\S+:\\d{1,5}")) {
            throw new LauncherException(
                    "--join " + address + " must be HOST:PORT, as in the other's --rendezvous");
        }
        return "tcp://" + address;
    }

    /** {@return a place that the user wrote, after a look at its form} */
    static String of(String uri) {
        if (!uri.matches("[a-z]+://.*")) {
            throw new LauncherException(
                    "--rendezvous " + uri + " must be tcp://HOST:PORT or file:///PATH");
        }
        return uri;
    }
}
