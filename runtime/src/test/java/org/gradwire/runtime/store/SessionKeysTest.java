package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The keys of a connection to the store. */
class SessionKeysTest {
    private static final GreetingProofs PROOFS = new GreetingProofs("secret");

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
                "35e8c2839e45bd6bef3f291a4b5f368270383bb1741fd0b84ea4662b4d62dcd171453c1f49f7a7c3e5ebf274",
                hex(keys.clientToServer()));
        assertEquals(
                "5592a5622888e6fd14fb1492493fdfe45d56ed8e24626056f3670093cf575dace33b845b7ad88c21bb39e8f7",
                hex(keys.serverToClient()));
        assertEquals(
                "944e8f328c4a5300b1c8539a163d454e07bdba5e3b858467d2df5039d2f07673",
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
                        new GreetingProofs("other").sessionKeys(TRANSCRIPT, SECRET),
                        PROOFS.sessionKeys(new Transcript(filled(1), filled(3)), SECRET),
                        PROOFS.sessionKeys(new Transcript(filled(3), filled(2)), SECRET),
                        PROOFS.sessionKeys(TRANSCRIPT, otherSecret));
        for (SessionKeys other : others) {
            assertFalse(Arrays.equals(key, other.clientToServer()));
        }
    }
}
