package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.seal.OfferSigner;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.crypto.CertificateMonitor;

/**
 * Loses peers whose certificates have expired or were revoked, and publishes this worker's new
 * certificate. Confined to the poller.
 */
final class PeerCertificates {
    private final OfferSigner signer;
    private final Peers peers;
    private final PeerCloser closer;
    private final CertificateMonitor verification = new CertificateMonitor(this::verify);
    private final CertificateMonitor renewal;

    /**
     * Create it.
     *
     * @param renewEndpoint publishes a new certificate, if there is one; may wait for peers that
     *     connect, which must not delay the verification
     */
    PeerCertificates(OfferSigner signer, Peers peers, PeerCloser closer, Runnable renewEndpoint) {
        this.signer = signer;
        this.peers = peers;
        this.closer = closer;
        renewal = new CertificateMonitor(renewEndpoint);
    }

    /** Start the checks that are due. */
    void onTick(long nowNanos) {
        verification.onTick(nowNanos);
        renewal.onTick(nowNanos);
    }

    private void verify() {
        signer.refusals().forEach(this::lose);
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
