package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.frame.HelloAckFrame;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryOfferFrame;
import org.gradwire.backend.tensorpipe.frame.RejectFrame;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Settings;

import java.util.List;

/**
 * Performs the handshake with peers: HELLO and HELLO_ACK in both directions, with proofs of the
 * token, then the negotiation of {@linkplain MemoryAccess memory access}.
 *
 * <p>Confined to the receive loop unless noted.
 */
final class Handshake {
    private final Authenticator.Party self;
    private final Identity identity;
    private final Authenticator authenticator;
    private final Receiver receiver;
    private final Peers peers;
    private final PublicationRequests publications;
    private final PeerCloser closer;
    private final MemoryAccess memoryAccess;

    Handshake(
            Identity identity,
            Receiver receiver,
            Peers peers,
            PublicationRequests publications,
            PeerCloser closer,
            MemoryAccess memoryAccess) {
        this.identity = identity;
        self = identity.party();
        authenticator = identity.authenticator();
        this.receiver = receiver;
        this.peers = peers;
        this.publications = publications;
        this.closer = closer;
        this.memoryAccess = memoryAccess;
    }

    /** Add peers, whose HELLO may have arrived already. For any thread. */
    void addAll(List<Peer> newcomers) {
        peers.putAll(newcomers);
        receiver.post(() -> newcomers.forEach(this::advance));
        closer.closeIfEnding(newcomers);
    }

    /** Send the HELLOs that have become possible. For any thread. */
    void advanceSoon() {
        for (Peer peer : peers.connecting()) {
            if (peer.maySendHello()) {
                receiver.post(() -> advance(peer));
            }
        }
    }

    /** Perform the possible steps of the handshake with a peer. */
    void advance(Peer peer) {
        assert receiver.isInLoop();
        bindEarlySession(
                peer); // before this worker's HELLO, whose HELLO_ACK arrives in that session
        sendDueFrames(peer);
    }

    /** Bind the session whose HELLO has arrived before the peer was known. */
    private void bindEarlySession(Peer peer) {
        for (InboundSession session : receiver.sessions()) {
            HelloFrame hello = session.hello();
            if (hello != null
                    && session.peer() == null
                    && isFrom(peer, hello)
                    && session.isFrom(peer)
                    && !peer.isOpen()
                    && !peer.isLost()) {
                bind(session, peer, hello);
            }
        }
    }

    /** Handle a HELLO. */
    void onHello(InboundSession from, HelloFrame hello) {
        assert receiver.isInLoop();
        Peer peer = peers.find(hello.from().id());
        if (peer == null) {
            return; // bindEarlySession finds it once the peer is known
        }
        if (!isFrom(peer, hello)) {
            throw new DecodingException(
                    "HELLO of worker %d with incarnation %x; expected %x, the one in the store"
                            .formatted(
                                    hello.from().id(),
                                    hello.from().incarnation(),
                                    peer.address().incarnation()));
        }
        if (!from.isFrom(peer)) {
            throw new DecodingException(
                    "HELLO of %s from %s; expected by %s"
                            .formatted(peer.label(), from.source(), peer.route().channel()));
        }
        bind(from, peer, hello);
    }

    /**
     * Check that a HELLO is addressed to this worker.
     *
     * @throws DecodingException when it is not
     */
    void requireForThisWorker(HelloFrame hello) {
        if (hello.group() != identity.group()) {
            throw new DecodingException("HELLO of another group");
        }
        if (!hello.to().equals(self)) {
            throw new DecodingException(
                    "HELLO to worker %d, incarnation %x; this is %d, %x"
                            .formatted(
                                    hello.to().id(),
                                    hello.to().incarnation(),
                                    self.id(),
                                    self.incarnation()));
        }
    }

    private static boolean isFrom(Peer peer, HelloFrame hello) {
        return hello.from().equals(peer.party());
    }

    private void bind(InboundSession session, Peer peer, HelloFrame hello) {
        if (peer.isLost() || peer.isOpen()) {
            throw new DecodingException("another session of " + peer.label());
        }
        session.bind(peer);
        peer.onHeard(System.nanoTime());
        peer.onHello(session, hello);
        publications.request(peer);
        sendDueFrames(peer);
    }

    private void sendDueFrames(Peer peer) {
        SendQueue sendQueue = peer.sendQueue();
        if (!peer.helloSent() && !peer.isLost() && sendQueue.isConnected()) {
            if (sendQueue.tryControl(hello(peer))) {
                peer.onHelloSent();
            }
        }
        HelloFrame hello = peer.hello();
        if (peer.helloSent() && hello != null && !peer.ackSent() && !peer.isLost()) {
            answer(peer, hello);
        }
    }

    private HelloFrame hello(Peer peer) {
        return new HelloFrame(
                authenticator.hasToken(),
                peer.canRing(),
                identity.group(),
                self,
                peer.party(),
                memoryAccess.proofFor(peer),
                peer.challenge());
    }

    /**
     * Accept or refuse a HELLO; after this worker's own, which identifies the sender to the peer.
     */
    private void answer(Peer peer, HelloFrame hello) {
        if (hello.hasToken() != authenticator.hasToken()) {
            refuse(peer, "only one of the two workers has an authentication token");
            return;
        }
        peer.sendQueue()
                .control(
                        new HelloAckFrame(
                                peer.bulk() != null,
                                hello.challenge(),
                                authenticator.proof(self, peer.party(), hello.challenge())));
        peer.onAckSent();
    }

    /** Handle a HELLO_ACK: open the peer if its proof is valid. */
    void onHelloAck(InboundSession from, HelloAckFrame ack) {
        assert receiver.isInLoop();
        Peer peer = from.peer();
        if (peer == null || !ack.challenge().equals(peer.challenge())) {
            throw new DecodingException("HELLO_ACK without a HELLO of this worker");
        }
        if (!authenticator.accepts(ack.proof(), peer.party(), self, ack.challenge())) {
            refuse(peer, "its authentication token differs");
            return;
        }
        sendDueFrames(peer); // this worker's HELLO_ACK precedes all messages
        peer.open(ack.readsOverTcp());
        memoryAccess.offer(peer);
    }

    private void refuse(Peer peer, String why) {
        peer.sendQueue()
                .tryControl(
                        new RejectFrame(
                                RejectFrame.SESSION,
                                RpcErrorKind.CONNECTION.code(),
                                why + "; set the same " + Settings.AUTHENTICATION_TOKEN));
        closer.lose(
                peer,
                new RpcConfigurationException(
                        "%s is refused: %s; set the same %s on all workers"
                                .formatted(peer.label(), why, Settings.AUTHENTICATION_TOKEN)));
    }

    /** Handle the peer's MEMORY_OFFER. */
    void onMemoryOffer(Peer from, MemoryOfferFrame offer) {
        memoryAccess.onOffer(from, offer);
    }

    /** Handle the peer's MEMORY_ACCEPT. */
    void onMemoryAccept(Peer from) {
        memoryAccess.onAccept(from);
    }
}
