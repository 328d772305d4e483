package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.seal.OfferSigner;
import org.gradwire.rpc.RpcConnectionException;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks every second, on a virtual thread, whether certificates have changed: loses peers whose
 * certificates have expired or were revoked, and publishes this worker's new certificate.
 */
final class CertificateMonitor {
    private static final Logger LOG = System.getLogger(CertificateMonitor.class.getPackageName());
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final OfferSigner signer;
    private final Peers peers;
    private final PeerCloser closer;
    private final Runnable renewEndpoint;
    private final AtomicBoolean isChecking = new AtomicBoolean();
    private long lastCheckNanos = System.nanoTime(); // confined to the poller

    /**
     * Create a monitor.
     *
     * @param renewEndpoint publishes a new certificate, if there is one; may wait
     */
    CertificateMonitor(OfferSigner signer, Peers peers, PeerCloser closer, Runnable renewEndpoint) {
        this.signer = signer;
        this.peers = peers;
        this.closer = closer;
        this.renewEndpoint = renewEndpoint;
    }

    /** Start the check that is due. On the poller. */
    void onTick(long nowNanos) {
        if (nowNanos - lastCheckNanos >= INTERVAL_NANOS && isChecking.compareAndSet(false, true)) {
            lastCheckNanos = nowNanos;
            Thread.ofVirtual().name("gradwire-certificates").start(this::check);
        }
    }

    private void check() {
        try {
            signer.refusals().forEach(this::lose);
            renewEndpoint.run();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "certificates could not be checked", e);
        } finally {
            isChecking.set(false);
        }
    }

    private void lose(int id, String why) {
        signer.forget(id);
        Peer peer = peers.find(id);
        if (peer != null && !peer.isLost() && !peer.route().isIpc()) {
            closer.loseSoon(
                    peer,
                    new RpcConnectionException(
                            "Connection to peer %s is closed: %s".formatted(peer.label(), why)));
        }
    }
}
