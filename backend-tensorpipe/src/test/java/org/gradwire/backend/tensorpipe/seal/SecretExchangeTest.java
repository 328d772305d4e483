package org.gradwire.backend.tensorpipe.seal;

import static org.gradwire.spi.crypto.AeadAlgorithm.AES_256_GCM;
import static org.gradwire.spi.crypto.AeadAlgorithm.CHACHA20_POLY1305;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.auth.SharedSecret;
import org.gradwire.spi.crypto.AeadAlgorithm;
import org.gradwire.spi.crypto.X25519;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/** The agreement of two workers; the golden bytes are those of another implementation. */
class SecretExchangeTest {
    private static final String TOKEN = "a token for golden bytes";
    private static final long GROUP = 0x0102030405060708L;
    private static final byte[] ENDPOINT =
            "udp-stream=-7\nudp-endpoint=10.0.0.1:4000\ntcp-port=4001\nencryption=network\n"
                    .getBytes(StandardCharsets.UTF_8);
    private static final byte[] FRAMES = "frames".repeat(8).getBytes(StandardCharsets.US_ASCII);
    private static final String LOWER_KEY =
            "07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7c";
    private static final String HIGHER_KEY =
            "5714769d116bf76436ae74bc793d2c30ad1903c59ac5273805c7e2698b410c36";

    /** Values of one algorithm. */
    private record Golden(
            String secret, int session, int other, String second, String next, String bulk) {}

    private static final Map<AeadAlgorithm, Golden> GOLDEN =
            Map.of(
                    AES_256_GCM,
                    new Golden(
                            "d410e8e08c1f8cd8340c630027150c03704b95c4cb3d62e0bc447a2e4d84b5aa",
                            -1071358058,
                            1192976021,
                            "5000000001c347816289a5e7010000005e4b810fb6257c2423482da4658e82a5"
                                    + "ebcf4b9bb3e390f6a3b608197216e62160c4f58f96cf754cae74fe9ec24a5065"
                                    + "603e19f38c7ed02cd3023de2a7ed0535",
                            "5000010001c347816289a5e700000000b6c7bb3a886a290775ff66223b48a0b8"
                                    + "736ae001946f8458cf4ae34c3e61dd7d9ddd7a372dcc201b8728c9cbafb6aa64"
                                    + "e6a3757dc582bbf0edf62f4a94da943d",
                            "c917c94554e3baf737472ca3892099ae1c6d54cbc2705d307cb381cec176c876"
                                    + "96e6da7bc3960d2726d744f350db08c26fa7c51541faa4cb11293ae26d684b89"),
                    CHACHA20_POLY1305,
                    new Golden(
                            "6d41f7446d851919fa86f1cd251f229d4bebae21227eb32f6a34df6f4247a05e",
                            -456856540,
                            -121327787,
                            "50000000015f5f7569e8835e010000000e7d6a2bb7663c41ea9bdccaa9c262c5"
                                    + "0d98d6f6e488978fe1c0ddc86c0856a3d9a228d95bbf97eb9528e463f8ef0419"
                                    + "21ebf279a610cf9cbf37e7b5aac718e6",
                            "50000100015f5f7569e8835e000000008abf0938428caf13203e5cd1a13b4bda"
                                    + "1ce3bcf6544a487f201298a55687a8bdfe87cdcf4b1f834f5c89357dcb700918"
                                    + "5e9144ee596d8fe83f944ee1aa1fcd1d",
                            "430120a46426ce816bd78551080e12cad5b2f83770e2617953666f15f328c0ab"
                                    + "ea440d6986982954d86a55aea6460a907c035a7d3c1e8ee49ab8167c19d27349"));

    private static Identity identity(int id, long incarnation, String token) {
        var authenticator = new Authenticator(new SharedSecret(token), GROUP);
        return new Identity(GROUP, id, incarnation, authenticator);
    }

    private static Identity lower() {
        return identity(3, 0x1111111111111111L, TOKEN);
    }

    private static Identity higher() {
        return identity(9, 0x2222222222222222L, TOKEN);
    }

    private static SecretExchange source(Identity of, String token, AeadAlgorithm preferred) {
        return new SecretExchange(of, new SharedSecret(token), preferred);
    }

    /** {@return a key pair with the private key first, first + 1, ...} */
    private static X25519 exchange(int first, String publicKey) throws GeneralSecurityException {
        byte[] secret = new byte[32];
        for (int i = 0; i < 32; i++) {
            secret[i] = (byte) (first + i);
        }
        byte[] bigEndian = HexFormat.of().parseHex(publicKey);
        for (int i = 0; i < 16; i++) {
            byte other = bigEndian[31 - i];
            bigEndian[31 - i] = bigEndian[i];
            bigEndian[i] = other;
        }
        KeyFactory keys = KeyFactory.getInstance("X25519");
        return new X25519(
                new KeyPair(
                        keys.generatePublic(
                                new XECPublicKeySpec(
                                        NamedParameterSpec.X25519, new BigInteger(1, bigEndian))),
                        keys.generatePrivate(
                                new XECPrivateKeySpec(NamedParameterSpec.X25519, secret))));
    }

    @ParameterizedTest
    @EnumSource
    void theBytesAreThoseOfTheProtocol(AeadAlgorithm algorithm) throws Exception {
        var token = new SharedSecret(TOKEN);
        var a = new SecretExchange(lower(), token, AES_256_GCM, exchange(1, LOWER_KEY));
        var b = new SecretExchange(higher(), token, algorithm, exchange(101, HIGHER_KEY));
        SealOffer offer = a.offer(ENDPOINT);
        assertEquals(LOWER_KEY, offer.exchangeKey());
        assertEquals(
                "3aeb237e222fe9a335beb479435b1894bc325d942633d7b154639d6a78a1de8b", offer.proof());
        PairSecret ofB = b.secretWith(lower().party(), ENDPOINT, offer);
        PairSecret ofA = a.secretWith(higher().party(), ENDPOINT, b.offer(ENDPOINT));
        Golden golden = Objects.requireNonNull(GOLDEN.get(algorithm));
        assertEquals(golden.secret, hex(encoded(ofA)).substring(4));
        assertEquals(golden.secret, hex(encoded(ofB)).substring(4));
        assertEquals(golden.session, ofA.session(true));
        assertEquals(golden.session, ofB.session(false));
        assertEquals(golden.other, ofB.session(true));
        var sealer =
                new DatagramSealer(
                        ofA, Lane.DATA, new RekeyLimits(2L * FRAMES.length), System::nanoTime);
        byte[] out = new byte[FRAMES.length + DatagramSeal.OVERHEAD];
        sealer.seal(FRAMES, 0, FRAMES.length, out, 0);
        sealer.seal(FRAMES, 0, FRAMES.length, out, 0);
        assertEquals(golden.second, hex(out));
        sealer.seal(FRAMES, 0, FRAMES.length, out, 0);
        assertEquals(golden.next, hex(out));
        byte[] challenges = new byte[32];
        for (int i = 0; i < 32; i++) {
            challenges[i] = (byte) i;
        }
        byte[] record = Arrays.copyOf(FRAMES, FRAMES.length + StreamSeal.OVERHEAD);
        StreamSeal.of(ofA, true, challenges).seal(record, FRAMES.length);
        assertEquals(golden.bulk, hex(record));
    }

    private static byte[] encoded(PairSecret secret) {
        ByteBuffer bytes = ByteBuffer.allocate(PairSecret.ENCODED_BYTES);
        secret.encode(bytes);
        return bytes.array();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void eachStartGivesAnotherSecretAndTextsShowNone() throws Exception {
        var b = source(higher(), TOKEN, AES_256_GCM);
        var first = source(lower(), TOKEN, AES_256_GCM).offer(ENDPOINT);
        var second = source(lower(), TOKEN, AES_256_GCM).offer(ENDPOINT);
        PairSecret one = b.secretWith(lower().party(), ENDPOINT, first);
        PairSecret other = b.secretWith(lower().party(), ENDPOINT, second);
        assertNotEquals(hex(encoded(one)), hex(encoded(other)));
        assertFalse(one.toString().contains(hex(encoded(one)).substring(4, 12)), one.toString());
    }

    @Test
    void anOfferOfAnotherTokenWorkerEndpointOrKeyIsRefused() throws Exception {
        var b = source(higher(), TOKEN, AES_256_GCM);
        SealOffer right = source(lower(), TOKEN, AES_256_GCM).offer(ENDPOINT);
        SealOffer ofStranger = source(lower(), "another token", AES_256_GCM).offer(ENDPOINT);
        SealOffer ofRestarted = source(identity(3, 4, TOKEN), TOKEN, AES_256_GCM).offer(ENDPOINT);
        byte[] elsewhere = ENDPOINT.clone();
        elsewhere[20] ^= 1;
        SealOffer otherKey = new SealOffer(AES_256_GCM, HIGHER_KEY, right.proof(), null);
        SealOffer otherAlgorithm =
                new SealOffer(CHACHA20_POLY1305, right.exchangeKey(), right.proof(), null);
        b.secretWith(lower().party(), ENDPOINT, right);
        assertRefused(b, ENDPOINT, ofStranger);
        assertRefused(b, ENDPOINT, ofRestarted);
        assertRefused(b, elsewhere, right);
        assertRefused(b, ENDPOINT, otherKey);
        assertRefused(b, ENDPOINT, otherAlgorithm);
    }

    private static void assertRefused(SecretExchange by, byte[] endpoint, SealOffer offer) {
        var refusal =
                assertThrows(
                        UnprovenOfferException.class,
                        () -> by.secretWith(lower().party(), endpoint, offer));
        assertTrue(String.valueOf(refusal.getMessage()).contains("token"), refusal::toString);
    }
}
