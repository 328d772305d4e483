package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Connects a worker to members of its group, and waits until both lanes to each are open.
 *
 * <p>Thread-safe; {@link #connect} blocks, and must not be called on the loop.
 */
final class Connector {

    /** Registry of the peers of a worker; confined to the loop. */
    interface Peers {

        /** {@return the peer with an address; a new one is being connected} */
        Peer register(WorkerInfo member, Address address);

        /** Close the lanes of a peer, and fail its calls. */
        void lose(Peer peer, RpcException reason);
    }

    private final WorkerInfo self;
    private final NettyOptions options;
    private final AgentLoop loop;
    private final AddressStore addresses;
    private final Acceptor acceptor;
    private final Peers peers;

    Connector(
            WorkerInfo self,
            NettyOptions options,
            AgentLoop loop,
            AddressStore addresses,
            Acceptor acceptor,
            Peers peers) {
        this.self = self;
        this.options = options;
        this.loop = loop;
        this.addresses = addresses;
        this.acceptor = acceptor;
        this.peers = peers;
    }

    /** Connect to members; see {@link org.gradwire.spi.RpcAgent#connect}. */
    void connect(List<WorkerInfo> members) {
        long deadline = System.nanoTime() + options.connectTimeoutNanos();
        List<Peer> registered =
                members.stream()
                        .filter(member -> member.id() != self.id())
                        .map(member -> register(member, addresses.await(member, deadline)))
                        .toList();
        for (Peer peer : registered) {
            awaitOpen(peer, deadline);
        }
    }

    private Peer register(WorkerInfo member, Address address) {
        if (address.isEncrypted() != (options.tls() != null)) {
            throw new RpcConfigurationException(
                    "%s at %s %s TLS, unlike %s; set %s, %s and %s on all workers, or on none"
                            .formatted(
                                    member,
                                    address,
                                    address.isEncrypted() ? "uses" : "does not use",
                                    self,
                                    Settings.CERTIFICATE,
                                    Settings.PRIVATE_KEY,
                                    Settings.TRUST));
        }
        var registered = new @Nullable Peer[1];
        loop.runAndWait(() -> registered[0] = peers.register(member, address));
        Peer peer = registered[0];
        if (peer == null) { // the loop has ended
            throw PendingCalls.closed(self.id(), 0);
        }
        return peer;
    }

    private void awaitOpen(Peer peer, long deadline) {
        boolean isOver;
        try {
            isOver = peer.awaitOpen(deadline - System.nanoTime());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while connecting to " + peer);
        }
        if (!isOver) {
            var failure = notReached(peer);
            loop.runAndWait(() -> peers.lose(peer, failure));
            throw failure;
        }
        RpcException reason = peer.lossReason();
        if (reason != null) {
            throw reason;
        }
    }

    private RpcConnectionException notReached(Peer peer) {
        String obstacle =
                self.id() > peer.id()
                        ? "at %s: %s".formatted(peer.address(), peer.obstacle())
                        : "which has to connect to this worker at %s port %d%s"
                                .formatted(
                                        options.host().address().getHostAddress(),
                                        acceptor.port(),
                                        lastRefusal());
        return new RpcConnectionException(
                "%s could not be reached in %d ms, %s%s"
                        .formatted(
                                peer,
                                options.connectTimeoutNanos() / 1_000_000,
                                obstacle,
                                onLoopbackOnly(peer)));
    }

    private String lastRefusal() {
        String refusal = acceptor.lastRefusal();
        if (refusal.isEmpty()) {
            return "";
        }
        return options.tls() == null
                ? "; " + refusal
                : "; %s; see %s, %s and %s of both workers"
                        .formatted(
                                refusal,
                                Settings.CERTIFICATE,
                                Settings.PRIVATE_KEY,
                                Settings.TRUST);
    }

    private String onLoopbackOnly(Peer peer) {
        boolean isLoopback = peer.address().socket().getAddress().isLoopbackAddress();
        return isLoopback && options.tls() == null
                ? "; it listens for workers of its host only: for others set %s, or %s=true"
                        .formatted(Settings.CERTIFICATE, SettingKeys.PLAIN)
                : "";
    }
}
