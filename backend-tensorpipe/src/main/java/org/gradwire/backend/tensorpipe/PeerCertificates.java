package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.seal.OfferSignature;
import org.gradwire.backend.tensorpipe.seal.OfferSigner;
import org.gradwire.backend.tensorpipe.seal.SealOffer;
import org.gradwire.backend.tensorpipe.seal.UnprovenOfferException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.crypto.CertificateMonitor;

import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Loses peers whose certificates have expired or were revoked, unless they have published new ones,
 * and publishes this worker's new certificate. Confined to the poller.
 */
final class PeerCertificates {
    private static final System.Logger LOG =
            System.getLogger(PeerCertificates.class.getPackageName());

    /** So that a store that does not reply keeps no refused peer. */
    private static final long RENEWAL_MILLIS = 2_000;

    private final OfferSigner signer;
    private final Peers peers;
    private final PeerCloser closer;
    private final PeerDiscovery discovery;
    private final CertificateMonitor verification = new CertificateMonitor(this::verify);
    private final CertificateMonitor renewal;

    /**
     * Create it.
     *
     * @param discovery publishes this worker's new certificate and reads those of peers; may wait
     *     for the store, which must not delay the verification
     */
    PeerCertificates(OfferSigner signer, Peers peers, PeerCloser closer, PeerDiscovery discovery) {
        this.signer = signer;
        this.peers = peers;
        this.closer = closer;
        this.discovery = discovery;
        renewal = new CertificateMonitor(discovery::renewEndpoint);
    }

    /** Start the checks that are due. */
    void onTick(long nowNanos) {
        verification.onTick(nowNanos);
        renewal.onTick(nowNanos);
    }

    private void verify() {
        Collection<Integer> refused = signer.refusals().keySet();
        if (!refused.isEmpty()) {
            renew(refused);
            signer.refusals().forEach(this::lose);
        }
    }

    /** Accept the new certificates that peers have published, as far as the store has them. */
    private void renew(Collection<Integer> refused) {
        CompletableFuture<?>[] renewals =
                refused.stream()
                        .map(id ->
                                CompletableFuture.runAsync(
                                        () -> renew(id), task -> Thread.ofVirtual().start(task)))
                        .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(renewals)
                .completeOnTimeout(null, RENEWAL_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(_ -> null) // the peer is lost
                .join();
    }

    private void renew(int id) {
        Peer peer = peers.find(id);
        if (peer == null || peer.isLost() || peer.route().isIpc()) {
            return;
        }
        try {
            SealOffer offer = discovery.published(peer).offer();
            OfferSignature signature = offer == null ? null : offer.signature();
            if (signature != null) {
                signer.renew(id, signature);
            }
        } catch (RpcException | UnprovenOfferException e) {
            LOG.log(
                    Level.DEBUG,
                    "{0} has no new certificate that can be read: {1}",
                    peer.label(),
                    e.getMessage());
        }
    }

    private void lose(int id, String why) {
        Peer peer = peers.find(id);
        if (peer == null) {
            return; // it is being connected, and is lost at the next check
        }
        if (peer.isLost() || peer.route().isIpc()) {
            signer.forget(id);
        } else {
            closer.loseSoon(
                    peer,
                    new RpcConnectionException(
                            "Connection to peer %s is closed: %s".formatted(peer.label(), why)));
        }
    }
}
