package org.gradwire.spi.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.HexFormat;

/** The algorithms by the test vectors of their RFCs. */
class CryptoTest {
    private static final byte[] NOTHING = {};

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** RFC 5869, A.1. */
    @Test
    void hkdf() {
        byte[] secret =
                Hkdf.extract(
                        bytes("000102030405060708090a0b0c"),
                        bytes("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"));
        assertEquals(
                "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5", hex(secret));
        assertEquals(
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
                hex(Hkdf.expand(secret, bytes("f0f1f2f3f4f5f6f7f8f9"), 42)));
    }

    /** RFC 4231, 4.3. */
    @Test
    void hmac() {
        byte[] key = "Jefe".getBytes(StandardCharsets.US_ASCII);
        byte[] code =
                Hmac.sign(
                        key,
                        "what do ya want ".getBytes(StandardCharsets.US_ASCII),
                        "for nothing?".getBytes(StandardCharsets.US_ASCII));
        assertEquals("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", hex(code));
        assertEquals(Hmac.BYTES, code.length);
    }

    private static X25519 end(String privateKey, String publicKey) throws GeneralSecurityException {
        KeyFactory keys = KeyFactory.getInstance("X25519");
        byte[] bigEndian = new byte[X25519.KEY_BYTES];
        byte[] littleEndian = bytes(publicKey);
        for (int i = 0; i < bigEndian.length; i++) {
            bigEndian[i] = littleEndian[littleEndian.length - 1 - i];
        }
        var u = new BigInteger(1, bigEndian);
        return new X25519(
                new KeyPair(
                        keys.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u)),
                        keys.generatePrivate(
                                new XECPrivateKeySpec(
                                        NamedParameterSpec.X25519, bytes(privateKey)))));
    }

    /** Keys and secret of OpenSSL, another implementation of RFC 7748. */
    @Test
    void x25519() throws Exception {
        X25519 own =
                end(
                        "5857f8a9a8204264b0d447380ca7562cb06e74c4457bb94ee568941f16fb085b",
                        "22ce18a15527196b3e67289fb58eecd4b8b51fe59ba8215cfd84989510cb200b");
        assertEquals(
                "22ce18a15527196b3e67289fb58eecd4b8b51fe59ba8215cfd84989510cb200b",
                hex(own.publicKey()));
        assertEquals(
                "8cef0ad253ca2eddb6aa8d6d861bfe5fe8cd15c7e5f8651877a934b257bcaa50",
                hex(
                        own.secretWith(
                                bytes(
                                        "50b0e13b5d72588e52c06195221f1f7d5e94a4b971a38998acb2c8c3565fbc07"))));
    }

    @Test
    void bothEndsHaveTheSecret() throws Exception {
        X25519 one = X25519.random();
        X25519 other = X25519.random();
        assertArrayEquals(one.secretWith(other.publicKey()), other.secretWith(one.publicKey()));
    }

    @Test
    void aPublicKeyThatMakesTheSecretPredictableIsRefused() {
        X25519 end = X25519.random();
        byte[] zero = new byte[X25519.KEY_BYTES];
        assertThrows(InvalidKeyException.class, () -> end.secretWith(zero));
    }

    @ParameterizedTest
    @EnumSource
    void aSealedTextOpensWithItsNumberAndAssociatedBytesOnly(AeadAlgorithm algorithm) {
        var aead = new Aead(algorithm, new byte[Aead.KEY_BYTES], new byte[Aead.IV_BYTES]);
        byte[] text = "text".getBytes(StandardCharsets.US_ASCII);
        byte[] sealed = new byte[text.length + Aead.TAG_BYTES];
        byte[] opened = new byte[text.length];
        var associated = new Aead.Part(new byte[] {1}, 0, 1);
        var all = new Aead.Part(sealed, 0, sealed.length);
        assertEquals(sealed.length, aead.seal(7, associated, new Aead.Part(text, 0, 4), sealed, 0));
        assertEquals(-1, aead.open(8, associated, all, opened, 0));
        assertEquals(-1, aead.open(7, new Aead.Part(NOTHING, 0, 0), all, opened, 0));
        assertEquals(-1, aead.open(7, associated, new Aead.Part(sealed, 0, 15), opened, 0));
        assertArrayEquals(new byte[text.length], opened);
        assertEquals(text.length, aead.open(7, associated, all, opened, 0));
        assertArrayEquals(text, opened);
    }
}
