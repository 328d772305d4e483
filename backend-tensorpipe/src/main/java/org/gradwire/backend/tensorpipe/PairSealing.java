package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.config.Encryption;
import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.backend.tensorpipe.driver.PairHandover;
import org.gradwire.backend.tensorpipe.seal.OfferSigner;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.backend.tensorpipe.seal.RekeyLimits;
import org.gradwire.backend.tensorpipe.seal.SealOffer;
import org.gradwire.backend.tensorpipe.seal.SecretExchange;
import org.gradwire.backend.tensorpipe.seal.UnprovenOfferException;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.AeadAlgorithm;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * Agrees with peers over the network on secrets, and hands these to the media driver, which seals
 * the datagrams. Thread-safe, except that one thread at a time agrees.
 */
final class PairSealing {
    private final TensorPipeOptions options;
    private final Identity identity;
    private final DriverDirectory directory;
    private final @Nullable OfferSigner signer;
    private @Nullable SecretExchange
            exchange; // of the first peer over the network; guarded by this

    /**
     * Create it.
     *
     * @param signer null when the worker has no certificate
     */
    PairSealing(
            TensorPipeOptions options,
            Identity identity,
            DriverDirectory directory,
            @Nullable OfferSigner signer) {
        this.options = options;
        this.identity = identity;
        this.directory = directory;
        this.signer = signer;
    }

    /** {@return an endpoint of this worker as it is published} */
    NetworkAddress offer(NetworkAddress endpoint) {
        if (!options.isSealed()) {
            return endpoint;
        }
        byte[] encoded = endpoint.encodeWithoutOffer();
        SealOffer offer = exchange().offer(encoded);
        return endpoint.with(signer == null ? offer : signer.sign(encoded, offer));
    }

    /** {@return whether the published endpoint has an old certificate} */
    boolean mustOfferAgain() {
        return signer != null && signer.mustSignAgain();
    }

    private synchronized SecretExchange exchange() {
        SecretExchange made = exchange;
        if (made == null) {
            made = new SecretExchange(identity, options.sharedSecret(), AeadAlgorithm.preferred());
            exchange = made;
        }
        return made;
    }

    /**
     * Agree with a peer.
     *
     * @return the secret of the pair; null when neither encrypts
     * @throws RpcConfigurationException when their encryption differs, only one of them has a
     *     certificate, or the peer's token or certificate is refused
     * @throws RpcConnectionException when the secret cannot be handed to the media driver
     */
    @Nullable PairSecret agree(
            WorkerInfo member, WorkerAddress of, NetworkAddress own, NetworkAddress at) {
        if (at.encryption() != options.encryption()) {
            throw disagreement(member, at.encryption()); // the proof then covers the equal value
        }
        SealOffer offer = at.offer();
        if (offer == null) {
            return null;
        }
        var peer = new Authenticator.Party(member.id(), of.incarnation());
        try {
            byte[] encoded = at.encodeWithoutOffer();
            PairSecret secret = exchange().secretWith(peer, encoded, offer);
            verifyCertificate(member, peer, encoded, offer);
            handOver(own, secret);
            return secret;
        } catch (UnprovenOfferException e) {
            throw new RpcConfigurationException(
                    "%s is refused: %s".formatted(label(member), e.getMessage()), e);
        }
    }

    private void verifyCertificate(
            WorkerInfo member, Authenticator.Party peer, byte[] endpoint, SealOffer offer)
            throws UnprovenOfferException {
        if (signer != null) {
            signer.verify(member.name(), peer, endpoint, offer);
        } else if (offer.signature() != null) {
            throw new RpcConfigurationException(
                    "%s is refused: it has a certificate and this worker has none; set %s on all workers or on none"
                            .formatted(label(member), Settings.CERTIFICATE));
        }
    }

    private RpcConfigurationException disagreement(WorkerInfo member, Encryption its) {
        return new RpcConfigurationException(
                "%s is refused: %s is %s there and %s here; set the same on all workers (without the setting it is network where %s or %s is set, else none)"
                        .formatted(
                                label(member),
                                SettingKeys.ENCRYPTION,
                                its.text(),
                                options.encryption().text(),
                                Settings.AUTHENTICATION_TOKEN,
                                Settings.CERTIFICATE));
    }

    private void handOver(NetworkAddress own, PairSecret secret) {
        var limits = new RekeyLimits(options.rekeyBytes());
        try {
            new PairHandover(own.udpSocket(), secret, limits).give(directory.path());
        } catch (IOException e) {
            throw new RpcConnectionException(
                    "keys cannot be handed to the media driver in %s: %s"
                            .formatted(directory.path(), e));
        }
    }

    private static String label(WorkerInfo member) {
        return member.name() + " (id " + member.id() + ")";
    }
}
