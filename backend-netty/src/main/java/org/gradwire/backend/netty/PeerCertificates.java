package org.gradwire.backend.netty;

import io.netty.channel.Channel;

import org.gradwire.spi.RateLimitedLog;
import org.gradwire.spi.crypto.CertificateMonitor;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Shows this worker's new certificate to connected peers, and loses peers whose certificates have
 * expired or were revoked, unless they show new ones. Confined to the loop unless noted.
 *
 * <p>Certificates are shown in a {@link Purpose#RENEWAL}, a short connection of the dialer; the
 * listener asks for it by RENEW.
 */
final class PeerCertificates {
    private static final System.Logger LOG =
            System.getLogger(PeerCertificates.class.getPackageName());

    /** The peers of a worker. */
    interface Peers {

        /** {@return the peers, lost ones too. Thread-safe} */
        Collection<Peer> peers();

        /** Lose a peer. */
        void lose(Peer peer, String reason);
    }

    private final int self;
    private final Tls tls;
    private final AgentLoop loop;
    private final Dialer dialer;
    private final AgentMetrics metrics;
    private final Peers peers;
    private final CertificateMonitor monitor = new CertificateMonitor(this::verify);
    private final RateLimitedLog log = new RateLimitedLog(LOG, Duration.ofSeconds(10));

    PeerCertificates(
            int self, Tls tls, AgentLoop loop, Dialer dialer, AgentMetrics metrics, Peers peers) {
        this.self = self;
        this.tls = tls;
        this.loop = loop;
        this.dialer = dialer;
        this.metrics = metrics;
        this.peers = peers;
    }

    /** Start a check if it is due. */
    void onTick(long nowNanos) {
        monitor.onTick(nowNanos);
    }

    /** Verify the certificates of all peers, on another thread, since it reads files. */
    private void verify() {
        List<X509Certificate> own = tls.chain();
        for (Peer peer : peers.peers()) {
            if (peer.isOpen()) {
                Tls.Exchanged verified = peer.renewal().exchanged();
                String refusal = tls.refusal(verified.ofPeer(), peer.info().name());
                boolean isStale = !verified.own().equals(own);
                loop.execute(() -> onVerified(peer, verified, refusal, isStale));
            }
        }
    }

    private void onVerified(
            Peer peer, Tls.Exchanged verified, @Nullable String refusal, boolean isStale) {
        Renewal renewal = peer.renewal();
        if (!peer.isOpen() || !renewal.exchanged().equals(verified)) {
            return; // lost or renewed since
        }
        if (renewal.check(refusal != null) && refusal != null) {
            peers.lose(peer, refusal);
            return;
        }
        boolean isDialer = self > peer.id();
        if (!renewal.isDue(isStale, isDialer)) {
            return;
        }
        renewal.onAttempt();
        if (isDialer) {
            dial(peer, renewal.secret());
        } else {
            peer.send(OutboundFrame.renew());
        }
    }

    private void dial(Peer peer, @Nullable SharedSecret secret) {
        if (secret != null) { // which a peer with lanes has
            dialer.connect(new Attempt(peer, peer.renewal().begin(), secret));
        }
    }

    /** Accept the certificates that both ends have shown in a renewal. */
    void onRenewed(Peer peer, int number, Channel channel) {
        if (peer.renewal().accept(number, Tls.exchanged(channel))) {
            metrics.certificatesRenewed.increment();
        }
    }

    /** The attempt of this worker to renew certificates with a listener. */
    private final class Attempt implements DialedConnection.Attempt {
        private final Peer peer;
        private final int number;
        private final SharedSecret secret;

        Attempt(Peer peer, int number, SharedSecret secret) {
            this.peer = peer;
            this.number = number;
            this.secret = secret;
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public Purpose purpose() {
            return Purpose.RENEWAL;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public SharedSecret secret() {
            return secret;
        }

        @Override
        public @Nullable Lane onProven(Channel channel, SharedSecret renewalSecret) {
            peer.renewal().end();
            onRenewed(peer, number, channel);
            var _ = channel.close();
            return null;
        }

        @Override
        public void onFailed(String obstacle) {
            onRefused("%s at %s: %s".formatted(peer, peer.address(), obstacle));
        }

        @Override
        public void onRefused(String reason) {
            peer.renewal().end();
            if (peer.isOpen()) {
                log.log(
                        Level.WARNING,
                        () ->
                                "certificates could not be shown to a connected peer, which is tried again: "
                                        + reason);
            }
        }
    }
}
