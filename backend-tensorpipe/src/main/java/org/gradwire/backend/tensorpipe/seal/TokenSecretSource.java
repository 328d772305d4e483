package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.auth.SharedSecret;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
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
 * Secrets from the group's token and an exchange by X25519, whose public keys are proven with the
 * token.
 *
 * <p>The token proves membership, not which member it is. A token that is stolen later does not
 * give the secrets of workers that have ended, since their private keys were never stored.
 */
public final class TokenSecretSource implements SecretSource {
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
     * @param token of the group, which is set
     */
    public TokenSecretSource(Identity identity, SharedSecret token, AeadAlgorithm preferred) {
        this(identity, token, preferred, X25519.random());
    }

    TokenSecretSource(
            Identity identity, SharedSecret token, AeadAlgorithm preferred, X25519 exchange) {
        this.identity = identity;
        tokenKey = token.derive(secret -> Hkdf.extract(TOKEN_SALT, secret));
        this.exchange = exchange;
        this.preferred = preferred;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public SealOffer offer(byte[] endpoint) {
        String key = HexFormat.of().formatHex(exchange.publicKey());
        var unproven = new SealOffer(preferred, key, "");
        byte[] proof = proof(identity.party(), endpoint, unproven);
        return new SealOffer(preferred, key, HexFormat.of().formatHex(proof));
    }

    private byte[] proof(Authenticator.Party party, byte[] endpoint, SealOffer offer) {
        byte[] key = offer.exchangeKeyBytes();
        int bytes = OFFER_LABEL.length + Long.BYTES + PARTY_BYTES + 1 + key.length;
        ByteBuffer text =
                ByteBuffer.allocate(bytes + endpoint.length).order(ByteOrder.LITTLE_ENDIAN);
        text.put(OFFER_LABEL).putLong(identity.group());
        put(text, party);
        text.put(offer.algorithm().code()).put(key).put(endpoint);
        return Hmac.sign(tokenKey, text.array());
    }

    @Override
    public PairSecret secretWith(Authenticator.Party peer, byte[] endpoint, SealOffer offer)
            throws UnprovenOfferException {
        byte[] expected = proof(peer, endpoint, offer);
        if (!MessageDigest.isEqual(expected, HexFormat.of().parseHex(offer.proof()))) {
            throw new UnprovenOfferException(
                    "its authentication token is another, or its endpoint in the store is not its own");
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
