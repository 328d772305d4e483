package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.auth.SharedSecret;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.AeadAlgorithm;
import org.gradwire.spi.crypto.Hkdf;
import org.gradwire.spi.crypto.Hmac;
import org.gradwire.spi.crypto.X25519;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Agrees with peers on secrets: by an exchange by X25519, whose public keys are proven with the
 * group's token. Thread-safe.
 *
 * <p>The token proves membership, not which member it is: an {@link OfferSigner} does. A token that
 * is stolen later does not give the secrets of workers that have ended, since their private keys
 * were never stored.
 */
public final class SecretExchange {
    private static final byte[] OFFER_LABEL = ascii("gradwire-tensorpipe-offer-1");
    private static final byte[] PAIR_LABEL = ascii("gradwire-tensorpipe-pair-1");
    private static final byte[] TOKEN_SALT = ascii("gradwire-tensorpipe-token-1");
    private static final int PARTY_BYTES = Integer.BYTES + Long.BYTES;

    private final Identity identity;
    private final byte[] tokenKey;
    private final X25519 exchange;
    private final AeadAlgorithm preferred;

    /**
     * Create it with a new key pair.
     *
     * @param token of the group; without one, an {@link OfferSigner} must prove the offers
     */
    public SecretExchange(Identity identity, SharedSecret token, AeadAlgorithm preferred) {
        this(identity, token, preferred, X25519.random());
    }

    SecretExchange(
            Identity identity, SharedSecret token, AeadAlgorithm preferred, X25519 exchange) {
        this.identity = identity;
        tokenKey = token.derive(secret -> Hkdf.extract(TOKEN_SALT, secret));
        this.exchange = exchange;
        this.preferred = preferred;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * {@return the offer that this worker publishes with its endpoint}
     *
     * @param endpoint the encoded endpoint, which the offer's proof covers
     */
    public SealOffer offer(byte[] endpoint) {
        String key = HexFormat.of().formatHex(exchange.publicKey());
        var unproven = new SealOffer(preferred, key, "", null);
        byte[] proof = proof(identity.party(), endpoint, unproven);
        return new SealOffer(preferred, key, HexFormat.of().formatHex(proof), null);
    }

    private byte[] proof(Authenticator.Party party, byte[] endpoint, SealOffer offer) {
        return Hmac.sign(tokenKey, text(OFFER_LABEL, identity.group(), party, endpoint, offer));
    }

    /** {@return the text that a proof or a signature of an offer covers} */
    static byte[] text(
            byte[] label, long group, Authenticator.Party party, byte[] endpoint, SealOffer offer) {
        byte[] key = offer.exchangeKeyBytes();
        int bytes = label.length + Long.BYTES + PARTY_BYTES + 1 + key.length;
        ByteBuffer text =
                ByteBuffer.allocate(bytes + endpoint.length).order(ByteOrder.LITTLE_ENDIAN);
        text.put(label).putLong(group);
        put(text, party);
        text.put(offer.algorithm().code()).put(key).put(endpoint);
        return text.array();
    }

    /**
     * {@return the secret that this worker and a peer share}
     *
     * @param endpoint the peer's encoded endpoint
     * @param offer the peer's, published with the endpoint
     * @throws UnprovenOfferException when the peer did not make the offer for this endpoint
     */
    public PairSecret secretWith(Authenticator.Party peer, byte[] endpoint, SealOffer offer)
            throws UnprovenOfferException {
        byte[] expected = proof(peer, endpoint, offer);
        if (!MessageDigest.isEqual(expected, HexFormat.of().parseHex(offer.proof()))) {
            throw new UnprovenOfferException(
                    "its authentication token differs, or another process wrote its endpoint in the store; set the same %s on all workers"
                            .formatted(Settings.AUTHENTICATION_TOKEN));
        }
        try {
            return agree(peer, offer, exchange.secretWith(offer.exchangeKeyBytes()));
        } catch (InvalidKeyException e) {
            throw new UnprovenOfferException("its exchange key is invalid", e);
        }
    }

    private PairSecret agree(Authenticator.Party peer, SealOffer offer, byte[] exchanged) {
        Authenticator.Party self = identity.party();
        boolean isLower = self.id() < peer.id();
        AeadAlgorithm algorithm = preferred.with(offer.algorithm());
        byte[] own = exchange.publicKey();
        byte[] other = offer.exchangeKeyBytes();
        ByteBuffer text =
                ByteBuffer.allocate(
                                PAIR_LABEL.length + 2 + Long.BYTES + 2 * (PARTY_BYTES + own.length))
                        .order(ByteOrder.LITTLE_ENDIAN);
        text.put(PAIR_LABEL).put((byte) FrameHeader.VERSION).put(algorithm.code());
        text.putLong(identity.group());
        put(text, isLower ? self : peer);
        put(text, isLower ? peer : self);
        text.put(isLower ? own : other).put(isLower ? other : own);
        byte[] secret = Hkdf.extract(tokenKey, exchanged);
        return new PairSecret(
                algorithm, isLower, Hkdf.expand(secret, text.array(), Hkdf.SECRET_BYTES));
    }

    private static void put(ByteBuffer text, Authenticator.Party party) {
        text.putInt(party.id()).putLong(party.incarnation());
    }
}
