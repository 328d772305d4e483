package org.gradwire.backend.tensorpipe.address;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;

import java.net.InetAddress;

/** Addresses that identify hosts: all loopback addresses identify this host. */
public final class HostAddress {
    private HostAddress() {}

    /**
     * Parse a literal address, without a name server.
     *
     * @throws DecodingException if the text is not an IPv4 or IPv6 address
     */
    public static InetAddress parse(String text) {
        int scope = text.indexOf('%'); // meaningful on its own host only
        try {
            return of(InetAddress.ofLiteral(scope < 0 ? text : text.substring(0, scope)));
        } catch (IllegalArgumentException e) {
            throw new DecodingException(
                    "'%s' is not an IP address".formatted(UntrustedText.quote(text)), e);
        }
    }

    /** {@return the address that identifies the host: the same for all loopback addresses} */
    public static InetAddress of(InetAddress address) {
        return address.isLoopbackAddress() ? InetAddress.getLoopbackAddress() : address;
    }
}
