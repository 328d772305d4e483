package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.backend.tensorpipe.auth.Authenticator;

/**
 * The source of the secrets of pairs. What proves to a worker that a secret is shared with the
 * right peer differs: the token of the group, or certificates. Thread-safe.
 */
public interface SecretSource {

    /**
     * {@return the offer that this worker publishes with its endpoint}
     *
     * @param endpoint the encoded endpoint, which the offer's proof covers
     */
    SealOffer offer(byte[] endpoint);

    /**
     * {@return the secret that this worker and a peer share}
     *
     * @param endpoint the peer's encoded endpoint
     * @param offer the peer's, published with the endpoint
     * @throws UnprovenOfferException when the peer did not make the offer for this endpoint
     */
    PairSecret secretWith(Authenticator.Party peer, byte[] endpoint, SealOffer offer)
            throws UnprovenOfferException;
}
