package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Adds peers to the agent, starts to connect them, and waits until they are open. Thread-safe. */
final class PeerConnector {
    private final TensorPipeOptions options;
    private final Peers peers;
    private final Handshake handshake;
    private final PublicationRequests publications;
    private final PeerCloser closer;

    PeerConnector(
            TensorPipeOptions options,
            Peers peers,
            Handshake handshake,
            PublicationRequests publications,
            PeerCloser closer) {
        this.options = options;
        this.peers = peers;
        this.handshake = handshake;
        this.publications = publications;
        this.closer = closer;
    }

    /**
     * {@return the peer of this incarnation of a member; null if it has to be added}
     *
     * <p>Closes an earlier incarnation. A lost peer remains lost, unless nothing was ever sent to
     * it: the two workers have agreed on the session of its log, whose nonces are used once.
     */
    @Nullable Peer known(WorkerInfo member, WorkerAddress found) {
        Peer known = peers.find(member.id());
        if (known == null || (known.isLost() && !known.hasLog())) {
            return null;
        }
        if (known.address().incarnation() == found.incarnation()) {
            return known;
        }
        // At once, so that calls to the new incarnation do not fail with the old one.
        closer.loseNow(
                known,
                new RpcConnectionException(
                        "Connection reset by peer %s: it was restarted".formatted(known.label())));
        return null;
    }

    /** Add peers, and connect those that do not wait for their first call. */
    void addAll(List<Peer> newcomers) {
        handshake.addAll(newcomers);
        newcomers.stream().filter(peer -> peer.route().isEager()).forEach(publications::request);
    }

    /**
     * Wait until a peer that is connected at once is open.
     *
     * @throws RpcException if the peer is lost, or not open in time
     */
    void awaitOpen(Peer peer, long deadline) {
        if (peer.isLost()) {
            throw peer.closedFailure();
        }
        if (peer.route().isEager()) {
            awaitOpened(peer, deadline);
        }
    }

    private void awaitOpened(Peer peer, long deadline) {
        try {
            peer.opened().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw peer.closedFailure();
        } catch (TimeoutException e) {
            var failure = notReached(peer);
            closer.loseSoon(peer, failure);
            throw failure;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while connecting to " + peer.label());
        }
    }

    private RpcConnectionException notReached(Peer peer) {
        return new RpcConnectionException(
                "%s could not be reached in %d ms, by %s (its HELLO has arrived: %s, a HELLO was sent to it: %s)"
                        .formatted(
                                peer.label(),
                                options.connectTimeoutNanos() / 1_000_000,
                                peer.route().isIpc()
                                        ? "shared memory"
                                        : "UDP at %s; check that no firewall or NAT is between the hosts, and that %s is %d on both"
                                                .formatted(
                                                        peer.route().endpoint(),
                                                        SettingKeys.UDP_TERM_LENGTH,
                                                        options.udpTermLength()),
                                peer.hello() != null,
                                peer.helloSent()));
    }
}
