package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.channel.BulkServer;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The peers of an agent by id. Thread-safe: writers replace immutable collections. */
final class Peers implements BulkServer.Peers {
    private volatile @Nullable Peer[] byId = {};
    private volatile List<Peer> all = List.of();
    private volatile List<Peer> connecting = List.of(); // may contain stale entries
    private volatile List<Peer> silent = List.of(); // may contain stale entries

    /** {@return the latest incarnation of the peer with an id, even if lost; null if unknown} */
    @Override
    public @Nullable Peer find(int id) {
        @Nullable Peer[] peers = byId;
        return id >= 0 && id < peers.length ? peers[id] : null;
    }

    /** Add peers, each replacing the earlier one with its id. */
    synchronized void putAll(List<Peer> newcomers) {
        int most = newcomers.stream().mapToInt(Peer::id).max().orElse(0);
        @Nullable Peer[] peers = Arrays.copyOf(byId, Math.max(byId.length, most + 1));
        newcomers.forEach(peer -> peers[peer.id()] = peer);
        byId = peers;
        List<Peer> list = new ArrayList<>();
        for (Peer each : peers) {
            if (each != null) {
                list.add(each);
            }
        }
        all = List.copyOf(list);
        connecting = stillConnecting(all);
        silent = stillSilent(all);
    }

    /** Update the lists after a peer has begun to connect. */
    synchronized void onConnecting() {
        connecting = stillConnecting(all);
        silent = stillSilent(all);
    }

    @Override
    public boolean areAt(InetAddress host) {
        return all.stream()
                .filter(peer -> !peer.isLost() && !peer.route().isIpc())
                .anyMatch(peer -> peer.route().host().equals(host));
    }

    List<Peer> all() {
        return all;
    }

    List<SendQueue> sendQueues() {
        return all.stream().map(Peer::sendQueue).toList();
    }

    /** {@return the peers in state CONNECTING; cheap if there are none} */
    List<Peer> connecting() {
        if (!connecting.isEmpty()) {
            synchronized (this) {
                connecting = stillConnecting(connecting);
            }
        }
        return connecting;
    }

    /** {@return the connected peers that do not (yet) ring this worker; cheap if there are none} */
    List<Peer> silent() {
        if (!silent.isEmpty()) {
            synchronized (this) {
                silent = stillSilent(silent);
            }
        }
        return silent;
    }

    private static List<Peer> stillSilent(List<Peer> peers) {
        return peers.stream().filter(peer -> peer.isMet() && !peer.ringsUs()).toList();
    }

    private static List<Peer> stillConnecting(List<Peer> peers) {
        return peers.stream().filter(peer -> peer.state() == Peer.State.CONNECTING).toList();
    }
}
