package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.Credentials;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Signs the offers of this worker with its certificate, and verifies those of its peers: only the
 * worker that a certificate names can have made an offer, and know the secret that follows from it.
 * Thread-safe.
 */
public final class OfferSigner {
    private static final byte[] LABEL =
            "gradwire-tensorpipe-offer-signature-1".getBytes(StandardCharsets.US_ASCII);

    private final Identity identity;
    private final Credentials credentials;
    private final Map<Integer, Verified> verified = new ConcurrentHashMap<>();
    private volatile Credentials.@Nullable Contents signedWith;

    /**
     * A peer whose certificate was accepted.
     *
     * @param text of its offer, which the key of its certificate signed
     */
    private record Verified(String name, byte[] text, List<X509Certificate> chain) {}

    /** Create a signer. */
    public OfferSigner(Identity identity, Credentials credentials) {
        this.identity = identity;
        this.credentials = credentials;
    }

    /** {@return this worker's offer with a signature} */
    public SealOffer sign(byte[] endpoint, SealOffer offer) {
        Credentials.Contents with = credentials.contents();
        signedWith = with;
        byte[] signature = with.sign(text(identity.party(), endpoint, offer));
        return offer.with(OfferSignature.of(with.chain(), signature));
    }

    /** {@return whether the certificate has changed since the last signature} */
    public boolean mustSignAgain() {
        return !credentials.contents().equals(signedWith);
    }

    private byte[] text(Authenticator.Party party, byte[] endpoint, SealOffer offer) {
        return SecretExchange.text(LABEL, identity.group(), party, endpoint, offer);
    }

    /**
     * Verify the offer of a peer.
     *
     * @param name of the peer, which its certificate must contain if an identity is set
     * @throws UnprovenOfferException when the peer did not make the offer for this endpoint
     */
    public void verify(String name, Authenticator.Party peer, byte[] endpoint, SealOffer offer)
            throws UnprovenOfferException {
        OfferSignature signature = offer.signature();
        if (signature == null) {
            throw new UnprovenOfferException(
                    "it has no certificate; set %s on all workers or on none"
                            .formatted(Settings.CERTIFICATE));
        }
        List<X509Certificate> chain = signature.chain();
        String refusal = credentials.refusal(chain, name);
        if (refusal != null) {
            throw new UnprovenOfferException(
                    "%s; see %s, %s and %s"
                            .formatted(
                                    refusal,
                                    Settings.TRUST,
                                    Settings.REVOCATIONS,
                                    Settings.IDENTITY));
        }
        byte[] text = text(peer, endpoint, offer);
        if (!Credentials.isSignedBy(chain.getFirst(), text, signature.bytes())) {
            throw new UnprovenOfferException(
                    "its endpoint in the store is not signed by the key of its certificate");
        }
        verified.put(peer.id(), new Verified(name, text, chain));
    }

    /**
     * Accept another certificate of a peer, whose key has signed the same offer. No effect if the
     * certificate or the signature is refused.
     *
     * @param published by the peer since it was verified
     */
    public void renew(int peer, OfferSignature published) throws UnprovenOfferException {
        Verified before = verified.get(peer);
        if (before == null) {
            return;
        }
        List<X509Certificate> chain = published.chain();
        if (credentials.refusal(chain, before.name()) == null
                && Credentials.isSignedBy(chain.getFirst(), before.text(), published.bytes())) {
            verified.replace(peer, before, new Verified(before.name(), before.text(), chain));
        }
    }

    /**
     * {@return peers whose certificates have expired, were revoked, or are no longer trusted since
     * they were verified, by their ids, with the reason}
     */
    public Map<Integer, String> refusals() {
        Map<Integer, String> refusals = new HashMap<>();
        verified.forEach((id, peer) -> {
            String refusal = credentials.refusal(peer.chain(), peer.name());
            if (refusal != null) {
                refusals.put(id, refusal);
            }
        });
        return refusals;
    }

    /** Forget a peer that is lost. */
    public void forget(int peer) {
        verified.remove(peer);
    }
}
