package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Address of a worker, as it publishes it in the store: lines of {@code key=value}.
 *
 * @param incarnation random; distinguishes a worker from an earlier one with the same id
 * @param socket at which it listens
 * @param isEncrypted whether it speaks TLS there
 */
record Address(long incarnation, InetSocketAddress socket, boolean isEncrypted) {
    private static final List<String> KEYS = List.of("netty", "incarnation", "host", "port", "tls");
    private static final int MAX_BYTES = 512;
    private static final int HEXADECIMAL = 16;
    private static final int MAX_PORT = 65_535;

    byte[] encode() {
        return "netty=%d\nincarnation=%x\nhost=%s\nport=%d\ntls=%s\n"
                .formatted(
                        Handshake.VERSION,
                        incarnation,
                        socket.getAddress().getHostAddress(),
                        socket.getPort(),
                        isEncrypted)
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Decode an address.
     *
     * @throws DecodingException when it is malformed, or of another version of the protocol
     */
    static Address decode(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new DecodingException(
                    "an address of %d bytes; at most %d".formatted(bytes.length, MAX_BYTES));
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        List<String> values = values(text);
        if (!values.getFirst().equals(Integer.toString(Handshake.VERSION))) {
            throw new DecodingException(
                    "it speaks version %s of the protocol, this worker version %d; use the same version of Gradwire on all workers"
                            .formatted(UntrustedText.quote(values.getFirst()), Handshake.VERSION));
        }
        try {
            return decode(values);
        } catch (IllegalArgumentException e) {
            throw new DecodingException(
                    "'%s' is not an address of the backend netty"
                            .formatted(UntrustedText.quote(text)),
                    e);
        }
    }

    private static List<String> values(String text) {
        List<String> lines = Arrays.asList(text.split("\n", -1));
        if (lines.size() != KEYS.size() + 1) {
            throw notAnAddress(text);
        }
        return KEYS.stream()
                .map(key -> {
                    String line = lines.get(KEYS.indexOf(key));
                    if (!line.startsWith(key + "=")) {
                        throw notAnAddress(text);
                    }
                    return line.substring(key.length() + 1);
                })
                .toList();
    }

    private static DecodingException notAnAddress(String text) {
        return new DecodingException(
                "'%s' is not an address of the backend netty; set gradwire.backend=netty on all workers"
                        .formatted(UntrustedText.quote(text)));
    }

    private static Address decode(List<String> values) {
        int port = Integer.parseInt(values.get(3));
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port);
        }
        return new Address(
                Long.parseUnsignedLong(values.get(1), HEXADECIMAL),
                new InetSocketAddress(InetAddress.ofLiteral(values.get(2)), port),
                Boolean.parseBoolean(values.get(4)));
    }

    @Override
    public String toString() {
        return socket.getAddress().getHostAddress() + ":" + socket.getPort();
    }
}
