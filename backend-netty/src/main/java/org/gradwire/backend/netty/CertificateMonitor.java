package org.gradwire.backend.netty;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Verifies the certificates of connected peers every second, on a virtual thread: one may have
 * expired, or been revoked, since the connection was opened.
 */
final class CertificateMonitor {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Tls tls;
    private final BiConsumer<Peer, String> lose;
    private final AtomicBoolean isChecking = new AtomicBoolean();
    private long lastCheckNanos = System.nanoTime(); // confined to the loop

    /**
     * Create a monitor.
     *
     * @param lose loses a peer for a reason; called on another thread
     */
    CertificateMonitor(Tls tls, BiConsumer<Peer, String> lose) {
        this.tls = tls;
        this.lose = lose;
    }

    /** Start the check that is due. In the loop. */
    void check(Collection<Peer> peers, long nowNanos) {
        if (nowNanos - lastCheckNanos >= INTERVAL_NANOS && isChecking.compareAndSet(false, true)) {
            lastCheckNanos = nowNanos;
            Thread.ofVirtual().name("gradwire-certificates").start(() -> verifyAll(peers));
        }
    }

    private void verifyAll(Collection<Peer> peers) {
        try {
            for (Peer peer : peers) {
                String refusal =
                        peer.isOpen() ? tls.refusal(peer.certificates(), peer.info().name()) : null;
                if (refusal != null) {
                    lose.accept(peer, refusal);
                }
            }
        } finally {
            isChecking.set(false);
        }
    }
}
