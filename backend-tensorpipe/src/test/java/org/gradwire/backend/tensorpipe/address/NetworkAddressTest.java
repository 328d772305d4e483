package org.gradwire.backend.tensorpipe.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.DecodingException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

/** An endpoint that a member writes in the store is an address and a port, and nothing more. */
class NetworkAddressTest {
    private static NetworkAddress decode(String endpoint) {
        String entry =
                "udp-stream=3\nudp-endpoint=%s\ntcp-port=40001\nencryption=none\n"
                        .formatted(endpoint);
        return NetworkAddress.decode(entry.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:40000", "[::1]:40000", "[fe80::1%eth0]:40000", "[::]:0"})
    void anAddressAndAPortAreTaken(String endpoint) {
        NetworkAddress address = decode(endpoint);
        assertEquals(endpoint, address.udpEndpoint());
        assertEquals(address, NetworkAddress.decode(address.encode()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"network", "all", "some", ""})
    void aPlainStreamWithAnotherEncryptionIsRefused(String encryption) {
        String entry =
                "udp-stream=3\nudp-endpoint=[::1]:40000\ntcp-port=0\nencryption=%s\n"
                        .formatted(encryption);
        var refusal =
                assertThrows(
                        DecodingException.class,
                        () -> NetworkAddress.decode(entry.getBytes(StandardCharsets.UTF_8)));
        String text = String.valueOf(refusal.getMessage());
        assertTrue(text.contains("encryption"), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:40000|sparse=false",
                "127.0.0.1|mtu=65504:40000",
                "[fe80::1%|control=10.0.0.1]:40000",
                "[::1|:40000",
                "127.0.0.1:65536",
                "127.0.0.1:port",
                "127.0.0.1:",
                "300.0.0.1:40000",
                "host.example:40000",
                "::1:40000",
                "[:5",
                ":5",
                "",
            })
    void anyOtherTextIsRefused(String endpoint) {
        var refusal = assertThrows(DecodingException.class, () -> decode(endpoint));
        String text = String.valueOf(refusal.getMessage());
        assertTrue(text.contains("endpoint") || text.contains("is not an IP address"), text);
    }
}
