package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The peers of an agent by id. Read by any thread; what is read is replaced, not changed, by those
 * that write.
 */
final class Peers implements BulkServer.Peers {
    private volatile @Nullable Peer[] byId = {};
    private volatile List<Peer> all = List.of();
    private volatile List<Peer> connecting = List.of(); // and some that were
    private volatile List<Peer> silent = List.of(); // and some that were

    /** {@return the peer of an id: its latest incarnation, lost or not} */
    @Override
    public @Nullable Peer find(int id) {
        @Nullable Peer[] peers = byId;
        return id >= 0 && id < peers.length ? peers[id] : null;
    }

    /** Enter peers, in the places of those that had their ids. */
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

    /** Take note that a peer is being connected that was only known. */
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

    /** {@return those that are being connected; soon found, when there are none} */
    List<Peer> connecting() {
        if (!connecting.isEmpty()) {
            synchronized (this) {
                connecting = stillConnecting(connecting);
            }
        }
        return connecting;
    }

    /** {@return those connected that do not ring this worker, or not yet; soon found, as above} */
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
