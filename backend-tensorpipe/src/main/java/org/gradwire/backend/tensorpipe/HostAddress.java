package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.DecodingException;

import java.net.InetAddress;

/** Network addresses as they stand for hosts: all loopback addresses stand for this host. */
final class HostAddress {
    private HostAddress() {}

    /**
     * Read an address of a host, without asking a name server.
     *
     * @throws DecodingException when it is no literal IPv4 or IPv6 address
     */
    static InetAddress parse(String text) {
        int scope = text.indexOf('%'); // means something on its own host only
        try {
            return of(InetAddress.ofLiteral(scope < 0 ? text : text.substring(0, scope)));
        } catch (IllegalArgumentException e) {
            throw new DecodingException("'%s' is no literal address of a host".formatted(text), e);
        }
    }

    /** Frames with a loopback address come from this host, whichever of them it is. */
    static InetAddress of(InetAddress address) {
        return address.isLoopbackAddress() ? InetAddress.getLoopbackAddress() : address;
    }
}
