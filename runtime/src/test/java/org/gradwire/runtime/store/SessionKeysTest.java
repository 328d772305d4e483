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
                "f108518bdc631bcba1cc90f453c0c6d4bbb8569e28fb0c1eff2dca3bd628a1ef4f974b4df9bd9e209b805722",
                hex(keys.clientToServer()));
        assertEquals(
                "709e4d0ad9b4970004f16082450b0a55af1a3a4337850bba92eaa21f47e9fc015ea9784df0f566ee634d4b20",
                hex(keys.serverToClient()));
        assertEquals(
                "133aa03aed2909fab565d1a7487829938034657a001b2edf0cf19ae28bbc7310766ac6d8c087076ef1206a83",
                hex(keys.clientIdentity()));
        assertEquals(
                "186a15ce81773aa175a72072ded71336e0c46d1142b2295b67278dc33f0b48f8c8062d26fa091dd00570afa9",
                hex(keys.serverIdentity()));
        assertEquals(
                "73e760d719b2ad324ef473f5f258d9ce8ecdcf52509d9630c2f88bb39dbc91d8",
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
