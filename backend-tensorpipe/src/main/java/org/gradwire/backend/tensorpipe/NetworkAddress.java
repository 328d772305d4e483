package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.DecodingException;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where a worker can be reached over the network, as it stands in the store for peers that do not
 * share its media driver.
 *
 * @param udpStream on which it listens at its endpoint
 * @param udpEndpoint address and port
 * @param tcpPort there, at which large buffers are read; 0 for none
 */
record NetworkAddress(int udpStream, String udpEndpoint, int tcpPort) {
    private static final String WHAT = "a network endpoint";
    private static final int MAX_PORT = 65_535;

    byte[] encode() {
        return KeyValueLines.of(WHAT)
                .with("udp-stream", udpStream)
                .with("udp-endpoint", udpEndpoint)
                .with("tcp-port", tcpPort)
                .encode();
    }

    /**
     * Read an endpoint.
     *
     * @throws DecodingException when it is none
     */
    static NetworkAddress decode(byte[] bytes) {
        KeyValueLines lines = KeyValueLines.decode(WHAT, bytes);
        try {
            return new NetworkAddress(
                    lines.number("udp-stream"),
                    endpoint(lines.text("udp-endpoint")),
                    port(lines.number("tcp-port")));
        } catch (NumberFormatException e) {
            throw new DecodingException(WHAT + " with a wrong number: " + e.getMessage(), e);
        }
    }

    private static String endpoint(String text) {
        if (text.lastIndexOf(':') < 1) {
            throw new DecodingException("%s at %s; expected address:port".formatted(WHAT, text));
        }
        HostAddress.parse(hostOf(text));
        return text;
    }

    private static int port(int port) {
        if (port < 0 || port > MAX_PORT) {
            throw new DecodingException(WHAT + " with a wrong port: " + port);
        }
        return port;
    }

    /** {@return the host of the endpoint, an IPv6 address without brackets} */
    String host() {
        return hostOf(udpEndpoint);
    }

    /** {@return the host of an address and port, an IPv6 address without brackets} */
    static String hostOf(String endpoint) {
        String host = endpoint.substring(0, endpoint.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** {@return the host as it stands in channels of Aeron} */
    String bracketedHost() {
        return udpEndpoint.substring(0, udpEndpoint.lastIndexOf(':'));
    }

    /** {@return where the socket of the endpoint is bound} */
    InetSocketAddress udpSocket() {
        String port = udpEndpoint.substring(udpEndpoint.lastIndexOf(':') + 1);
        return new InetSocketAddress(InetAddress.ofLiteral(host()), Integer.parseInt(port));
    }
}
