package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.crypto.AeadAlgorithm;
import org.gradwire.spi.crypto.X25519;
import org.jspecify.annotations.Nullable;

import java.util.HexFormat;

/**
 * The public values with which peers agree on a secret with a worker. It publishes them with its
 * endpoint.
 *
 * @param algorithm that it prefers
 * @param exchangeKey public key of X25519, 32 bytes in hexadecimal, new with each start
 * @param proof that the endpoint is a member's: 32 bytes in hexadecimal
 * @param signature that the endpoint is the worker's; null when it has no certificate
 */
public record SealOffer(
        AeadAlgorithm algorithm,
        String exchangeKey,
        String proof,
        @Nullable OfferSignature signature) {
    /**
     * {@return an offer of published values}
     *
     * @throws DecodingException when it is invalid
     */
    public static SealOffer of(
            String algorithm,
            String exchangeKey,
            String proof,
            @Nullable OfferSignature signature) {
        for (AeadAlgorithm known : AeadAlgorithm.values()) {
            if (known.name().equals(algorithm)
                    && isHexadecimal(exchangeKey)
                    && isHexadecimal(proof)) {
                return new SealOffer(known, exchangeKey, proof, signature);
            }
        }
        throw new DecodingException("an endpoint whose offer of encryption is invalid");
    }

    private static boolean isHexadecimal(String text) {
        return text.length() == 2 * X25519.KEY_BYTES
                && text.chars().allMatch(HexFormat::isHexDigit);
    }

    /** {@return the offer with a signature} */
    SealOffer with(OfferSignature made) {
        return new SealOffer(algorithm, exchangeKey, proof, made);
    }

    /** {@return the bytes of the public key} */
    byte[] exchangeKeyBytes() {
        return HexFormat.of().parseHex(exchangeKey);
    }
}
