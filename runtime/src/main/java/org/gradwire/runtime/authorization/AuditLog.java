package org.gradwire.runtime.authorization;

import jdk.jfr.FlightRecorder;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.member.PeerListener;
import org.gradwire.spi.PeerIdentity;
import org.gradwire.spi.PeerLog;
import org.gradwire.spi.UntrustedText;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Records refusals, and peers that join and leave, in the log category {@code gradwire.audit} and
 * with Flight Recorder. It writes at most one line of each kind per peer in ten seconds.
 * Thread-safe.
 */
public final class AuditLog implements PeerListener {
    private static final System.Logger LOGGER = System.getLogger("gradwire.audit");

    private final WorkerInfo self;
    private final IntFunction<PeerIdentity> identities;
    private final PeerLog denied = new PeerLog(LOGGER);
    private final PeerLog joined = new PeerLog(LOGGER);
    private final PeerLog left = new PeerLog(LOGGER);
    private final Map<Integer, Present> present = new ConcurrentHashMap<>();
    private final LongAdder denials = new LongAdder();

    /** A peer, and its identity when it joined. */
    private record Present(WorkerInfo peer, PeerIdentity identity) {}

    /**
     * Create the audit log of a worker.
     *
     * @param identities of connected peers, by id
     */
    public AuditLog(WorkerInfo self, IntFunction<PeerIdentity> identities) {
        this.self = self;
        this.identities = identities;
    }

    /** Record that a peer was refused an action, which may be a text of the peer. */
    void denied(WorkerInfo caller, String action, String reason) {
        denials.increment();
        String address = identityOf(caller).address();
        if (FlightRecorder.isInitialized()) {
            DenialEvent.record(self, caller, address, action, reason);
        }
        denied.log(
                Level.WARNING,
                caller.id(),
                () ->
                        "%s: permission denied: worker %s (id %d, %s) used %s: %s"
                                .formatted(
                                        self,
                                        UntrustedText.quote(caller.name()),
                                        caller.id(),
                                        UntrustedText.quote(address),
                                        UntrustedText.quote(action),
                                        reason));
    }

    private PeerIdentity identityOf(WorkerInfo peer) {
        Present known = present.get(peer.id());
        return known != null && known.peer.equals(peer)
                ? known.identity
                : identities.apply(peer.id());
    }

    long denials() {
        return denials.sum();
    }

    /** Record that a peer is a member, unless that is known. */
    @Override
    public void onPeerConnected(WorkerInfo peer) {
        if (peer.equals(self)) {
            return;
        }
        var now = new Present(peer, identities.apply(peer.id()));
        Present before = present.put(peer.id(), now);
        if (before == null || !before.equals(now)) {
            record("joined", now, "");
            joined.log(Level.DEBUG, peer.id(), line("joined", now, ""));
        }
    }

    @Override
    public void onPeerLost(WorkerInfo peer, RpcException reason) {
        Present gone = present.remove(peer.id());
        if (gone != null) {
            record("left", gone, reason.getMessage());
            left.log(Level.DEBUG, peer.id(), line("left", gone, ": " + reason.getMessage()));
        }
    }

    /** The class of the event is not used before Flight Recorder is: that takes 100 to 200 ms. */
    private void record(String change, Present who, String reason) {
        if (FlightRecorder.isInitialized()) {
            MembershipEvent.record(change, self, who.peer, who.identity, reason);
        }
    }

    private Supplier<String> line(String change, Present who, String reason) {
        return () ->
                "%s: worker %s (id %d, %s, authentication: %s) has %s%s"
                        .formatted(
                                self,
                                UntrustedText.quote(who.peer.name()),
                                who.peer.id(),
                                UntrustedText.quote(who.identity.address()),
                                who.identity.authentication().text(),
                                change,
                                UntrustedText.quote(reason));
    }
}
