package org.gradwire.backend.tensorpipe.address;

import org.gradwire.backend.tensorpipe.config.Encryption;
import org.gradwire.backend.tensorpipe.seal.OfferSignature;
import org.gradwire.backend.tensorpipe.seal.SealOffer;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;

/**
 * The network endpoint of a worker, published in the store for peers with which it shares no
 * memory.
 *
 * @param udpStream stream of its subscription; negative if it accepts only sealed datagrams
 * @param udpEndpoint address and port
 * @param tcpPort for reads of large buffers; 0 for none
 * @param encryption of the worker, which the offer's proof covers
 * @param offer by which peers agree on keys; null when it accepts only plain datagrams
 */
public record NetworkAddress(
        int udpStream,
        String udpEndpoint,
        int tcpPort,
        Encryption encryption,
        @Nullable SealOffer offer) {
    private static final String WHAT = "a network endpoint";
    private static final String ENCRYPTION = "encryption";
    private static final String ALGORITHM = "algorithm";
    private static final String EXCHANGE_KEY = "exchange-key";
    private static final String PROOF = "proof";
    private static final String CERTIFICATES = "certificates";
    private static final String SIGNATURE = "signature";
    private static final int MAX_PORT = 65_535;

    /** IPv4, or IPv6 in brackets with an optional scope; and a port. */
    private static final Pattern ENDPOINT =
            Pattern.compile("([0-9.]+|\\[[0-9A-Fa-f:.]+(%[0-9A-Za-z._-]+)?]):[0-9]{1,5}");

    /** {@return the endpoint with an offer, to which the offer's proof belongs} */
    public NetworkAddress with(SealOffer made) {
        return new NetworkAddress(udpStream, udpEndpoint, tcpPort, encryption, made);
    }

    public byte[] encode() {
        KeyValueLines lines = lines();
        if (offer != null) {
            lines.with(ALGORITHM, offer.algorithm())
                    .with(EXCHANGE_KEY, offer.exchangeKey())
                    .with(PROOF, offer.proof());
            OfferSignature signature = offer.signature();
            if (signature != null) {
                lines.with(CERTIFICATES, signature.certificates())
                        .with(SIGNATURE, signature.value());
            }
        }
        return lines.encode();
    }

    /** {@return the part of the encoded form that the offer's proof covers} */
    public byte[] encodeWithoutOffer() {
        return lines().encode();
    }

    private KeyValueLines lines() {
        return KeyValueLines.of(WHAT)
                .with("udp-stream", udpStream)
                .with("udp-endpoint", udpEndpoint)
                .with("tcp-port", tcpPort)
                .with(ENCRYPTION, encryption.text());
    }

    /**
     * Decode an endpoint.
     *
     * @throws DecodingException if it is invalid
     */
    public static NetworkAddress decode(byte[] bytes) {
        KeyValueLines lines = KeyValueLines.decode(WHAT, bytes);
        try {
            return new NetworkAddress(
                    lines.number("udp-stream"),
                    endpoint(lines.text("udp-endpoint")),
                    port(lines.number("tcp-port")),
                    encryption(lines),
                    offer(lines));
        } catch (NumberFormatException e) {
            throw KeyValueLines.wrongNumber(WHAT, e);
        }
    }

    /** The stream says to media drivers whether datagrams are sealed, so it must agree. */
    private static Encryption encryption(KeyValueLines lines) {
        String text = lines.text(ENCRYPTION);
        Encryption encryption =
                Encryption.of(text)
                        .orElseThrow(() ->
                                new DecodingException(
                                        "%s with the encryption '%s'"
                                                .formatted(WHAT, UntrustedText.quote(text))));
        if (encryption.isSealed() != lines.number("udp-stream") < 0) {
            throw new DecodingException(WHAT + " whose stream and encryption do not agree");
        }
        return encryption;
    }

    private static @Nullable SealOffer offer(KeyValueLines lines) {
        return encryption(lines).isSealed()
                ? SealOffer.of(
                        lines.text(ALGORITHM),
                        lines.text(EXCHANGE_KEY),
                        lines.text(PROOF),
                        signature(lines))
                : null;
    }

    private static @Nullable OfferSignature signature(KeyValueLines lines) {
        return lines.has(CERTIFICATES)
                ? new OfferSignature(lines.text(CERTIFICATES), lines.text(SIGNATURE))
                : null;
    }

    /** A member writes the text, and it becomes a part of Aeron's channels: nothing else may. */
    private static String endpoint(String text) {
        if (!ENDPOINT.matcher(text).matches()) {
            throw new DecodingException(
                    "%s at '%s'; expected address:port".formatted(WHAT, UntrustedText.quote(text)));
        }
        HostAddress.parse(hostOf(text));
        port(Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)));
        return text;
    }

    private static int port(int port) {
        if (port < 0 || port > MAX_PORT) {
            throw new DecodingException(WHAT + " with a wrong port: " + port);
        }
        return port;
    }

    /** {@return the host of the endpoint, an IPv6 address without brackets} */
    public String host() {
        return hostOf(udpEndpoint);
    }

    /** {@return the host of an address and port, an IPv6 address without brackets} */
    public static String hostOf(String endpoint) {
        String host = endpoint.substring(0, endpoint.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** {@return the host in the form of Aeron's channels, an IPv6 address in brackets} */
    public String bracketedHost() {
        return udpEndpoint.substring(0, udpEndpoint.lastIndexOf(':'));
    }

    /** {@return the address to which the endpoint's socket is bound} */
    public InetSocketAddress udpSocket() {
        String port = udpEndpoint.substring(udpEndpoint.lastIndexOf(':') + 1);
        return new InetSocketAddress(InetAddress.ofLiteral(host()), Integer.parseInt(port));
    }
}
