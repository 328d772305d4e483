package org.gradwire.backend.tensorpipe.address;

import io.aeron.ChannelUri;

import org.gradwire.backend.tensorpipe.config.Encryption;
import org.gradwire.backend.tensorpipe.os.HostIdentity;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.backend.tensorpipe.seal.OfferSignature;
import org.gradwire.backend.tensorpipe.seal.SealOffer;
import org.gradwire.spi.DecodingException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Fuzz target: what a member writes about itself in the store: its address ({@code A}) or its
 * endpoint with the offer of encryption ({@code N}), by the first byte.
 */
public final class EntryTarget {
    private EntryTarget() {}

    /** Decode an entry. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
        try {
            if (input[0] == 'A') {
                var address = WorkerAddress.decode(bytes);
                requireSame(address, WorkerAddress.decode(address.encode()));
            } else {
                var address = NetworkAddress.decode(bytes);
                requireSame(address, NetworkAddress.decode(address.encode()));
                requireOneParameter(address.udpEndpoint());
            }
        } catch (DecodingException _) { // the expected end of a malformed entry
        }
    }

    /** Require that the endpoint adds no parameter to the URI of an Aeron channel. */
    private static void requireOneParameter(String endpoint) {
        String uri = "aeron:udp?endpoint=" + endpoint;
        if (!endpoint.equals(ChannelUri.parse(uri).get("endpoint"))) {
            throw new AssertionError(uri + " has other parameters");
        }
    }

    private static void requireSame(Object decoded, Object again) {
        if (!decoded.equals(again)) {
            throw new AssertionError("%s becomes %s when it is encoded".formatted(decoded, again));
        }
    }

    /** {@return an entry of each kind} */
    public static List<byte[]> seeds() {
        var worker =
                new WorkerAddress(
                        1,
                        new HostIdentity("host"),
                        "/dev/shm/driver",
                        new ProcessIdentity(2, 3),
                        true,
                        true,
                        4);
        var plain = new NetworkAddress(5, "127.0.0.1:40123", 40_124, Encryption.NONE, null);
        return List.of(
                seed('A', worker.encode()),
                seed('N', plain.encode()),
                seed('N', sealed(Encryption.NETWORK).encode()),
                seed('N', sealed(Encryption.ALL).encode()));
    }

    private static NetworkAddress sealed(Encryption encryption) {
        var offer =
                SealOffer.of(
                        "AES_256_GCM",
                        "0".repeat(64),
                        "f".repeat(64),
                        new OfferSignature("certificates", "signature"));
        return new NetworkAddress(-5, "[::1]:40123", 40_124, encryption, offer);
    }

    private static byte[] seed(char decoder, byte[] entry) {
        return ByteBuffer.allocate(1 + entry.length).put((byte) decoder).put(entry).array();
    }
}
