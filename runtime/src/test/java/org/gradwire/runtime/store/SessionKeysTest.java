package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The keys of a connection to the store. */
class SessionKeysTest {
    private static final HandshakeProofs PROOFS = new HandshakeProofs("secret");

    private static byte[] filled(int value) {
        byte[] side = new byte[Transcript.SIDE_BYTES];
        Arrays.fill(side, (byte) value);
        return side;
    }

    private static final Transcript TRANSCRIPT = new Transcript(filled(1), filled(2));
    private static final byte[] SECRET = new byte[32];

    /** PROTOCOL.md, C2; computed by an implementation of RFC 5869 in another language. */
    @Test
    void theyAreThoseOfTheProtocol() {
        SessionKeys keys = PROOFS.sessionKeys(TRANSCRIPT, SECRET);
        assertEquals(
                "67da90c4cfc067dbb770f72421f33df8e54baa059105181c5e00ca86840ad2b0bb729e88b3427afa6167f701",
                hex(keys.clientToServer()));
        assertEquals(
                "4263a9f924a7942ed6265e7f9d8b2ca8a0a407bd214bec7708f570315f24398dd404e6700f9a3b32e7e8ed4d",
                hex(keys.serverToClient()));
        assertEquals(
                "4f527c686cd9cf0b3d63383df963364a8626b8413e4f2b29e0b030daf167ee2a4ddd7ea43139741aa5366587",
                hex(keys.clientIdentity()));
        assertEquals(
                "4453f4bf0df5bc7169a01f954670ef11865a6e55ece76c04ffc948543d69d1c9159735448f114fd15205f3a8",
                hex(keys.serverIdentity()));
        assertEquals(
                "eb558399453cd27fe40b92c45441583bf98b3fb5598c0006bfe98ca1091817f2",
                hex(PROOFS.ofServer(TRANSCRIPT)));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void theyDependOnTokenTranscriptAndSecret() {
        byte[] key = PROOFS.sessionKeys(TRANSCRIPT, SECRET).clientToServer();
        byte[] otherSecret = SECRET.clone();
        otherSecret[0] = 1;
        List<SessionKeys> others =
                List.of(
                        new HandshakeProofs("other").sessionKeys(TRANSCRIPT, SECRET),
                        PROOFS.sessionKeys(new Transcript(filled(1), filled(3)), SECRET),
                        PROOFS.sessionKeys(new Transcript(filled(3), filled(2)), SECRET),
                        PROOFS.sessionKeys(TRANSCRIPT, otherSecret));
        for (SessionKeys other : others) {
            assertFalse(Arrays.equals(key, other.clientToServer()));
        }
    }
}
