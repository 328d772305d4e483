package org.gradwire.backend.tensorpipe;

import io.aeron.Image;

import org.agrona.DirectBuffer;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Finds out whose the arriving sessions are, and acts on their frames.
 *
 * <p>All of it by who has the receiver's turn.
 */
final class Sessions implements Inbound.Handler {
    private static final Logger LOG = System.getLogger(Sessions.class.getPackageName());

    /** Says which peers there are, and gives one up. */
    interface Members {

        /** {@return the peer of an id, if it is known} */
        @Nullable Peer find(int id);

        void lose(Peer peer, RpcException reason);

        /** Make a log to a peer soon, if none is made yet. */
        void approach(Peer peer);

        /** Much of a log that comes over UDP has been read: the driver has to tell its writer. */
        void onRoomMade();
    }

    private final Authenticator.Party self;
    private final Identity identity;
    private final Authenticator authenticator;
    private final Options options;
    private final BufferAllocator allocator;
    private final Statistics statistics;
    private final Receiver receiver;
    private final Delivery delivery;
    private final Members members;
    private final MemoryAccess memoryAccess;
    private volatile boolean mayBeUnfinished; // a message in chunks
    private volatile boolean isLookDue;

    Sessions(
            Identity identity,
            Options options,
            BufferAllocator allocator,
            Statistics statistics,
            Receiver receiver,
            Delivery delivery,
            MemoryAccess memoryAccess,
            Members members) {
        this.identity = identity;
        self = identity.party();
        authenticator = identity.authenticator();
        this.options = options;
        this.allocator = allocator;
        this.statistics = statistics;
        this.receiver = receiver;
        this.delivery = delivery;
        this.memoryAccess = memoryAccess;
        this.members = members;
    }

    /** A session has appeared. */
    void onImage(Image image) {
        receiver.add(new Inbound(image, this));
    }

    /** A session has ended. */
    void onImageGone(Image image) {
        Inbound session = receiver.remove(image);
        if (session == null) {
            return;
        }
        Peer peer = session.peer();
        session.refuse();
        if (peer != null && peer.inbound() == session) {
            members.lose(
                    peer,
                    new RpcConnectionException(
                            "Connection reset by peer %s: its log has ended"
                                    .formatted(peer.label())));
        }
    }

    /** Go on with the greetings of a peer, which may have greeted before it was known. */
    void greet(Peer peer) {
        findEarlyGreeting(peer); // before the own HELLO, whose answer comes on that session
        advance(peer);
    }

    private void findEarlyGreeting(Peer peer) {
        for (Inbound session : receiver.sessions()) {
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

    @Override
    public void onHello(Inbound from, HelloFrame hello) {
        Peer peer = members.find(hello.from());
        if (peer == null) {
            return; // it is early; it will be looked at when its address is known
        }
        if (!isFrom(peer, hello)) {
            throw new DecodingException(
                    "HELLO of worker %d, incarnation %x; known is %x"
                            .formatted(
                                    hello.from(),
                                    hello.fromIncarnation(),
                                    peer.address().incarnation()));
        }
        if (!from.isFrom(peer)) {
            throw new DecodingException(
                    "HELLO of %s from %s; it is to come by %s"
                            .formatted(
                                    peer.label(),
                                    from.image().sourceIdentity(),
                                    peer.route().channel()));
        }
        bind(from, peer, hello);
    }

    @Override
    public void requireForUs(HelloFrame hello) {
        if (hello.group() != identity.group()) {
            throw new DecodingException("HELLO of another group");
        }
        if (hello.to() != self.id() || hello.toIncarnation() != self.incarnation()) {
            throw new DecodingException(
                    "HELLO to worker %d, incarnation %x; this is %d, %x"
                            .formatted(
                                    hello.to(),
                                    hello.toIncarnation(),
                                    self.id(),
                                    self.incarnation()));
        }
    }

    private static boolean isFrom(Peer peer, HelloFrame hello) {
        return hello.from() == peer.id() && hello.fromIncarnation() == peer.address().incarnation();
    }

    private void bind(Inbound session, Peer peer, HelloFrame hello) {
        if (peer.isLost() || peer.isOpen()) {
            throw new DecodingException("another session of " + peer.label());
        }
        session.bind(peer);
        peer.onHeard(System.nanoTime());
        peer.greetedOn(session, hello);
        members.approach(peer);
        advance(peer);
    }

    /** Send the greetings that are due to a peer. */
    private void advance(Peer peer) {
        Outbox outbox = peer.outbox();
        if (!peer.helloSent() && !peer.isLost() && outbox.isConnected()) {
            if (outbox.tryControl(hello(peer))) {
                peer.onHelloSent();
            }
        }
        HelloFrame hello = peer.hello();
        if (peer.helloSent() && hello != null && !peer.ackSent() && !peer.isLost()) {
            answer(peer, hello);
        }
    }

    /** Accept a greeting or refuse it; after the own HELLO, which says whose answer it is. */
    private void answer(Peer peer, HelloFrame hello) {
        if (hello.hasToken() != authenticator.hasToken()) {
            refuse(peer, "only one of the two workers has an authentication token");
            return;
        }
        peer.outbox()
                .control(
                        new HelloAckFrame(
                                peer.bulk() != null,
                                hello.challenge(),
                                authenticator.proof(self, peer.party(), hello.challenge())));
        peer.onAckSent();
    }

    private HelloFrame hello(Peer peer) {
        return new HelloFrame(
                authenticator.hasToken(),
                peer.canRing(),
                identity.group(),
                self.incarnation(),
                peer.address().incarnation(),
                self.id(),
                peer.id(),
                memoryAccess.proofFor(peer),
                peer.challenge());
    }

    @Override
    public void onHelloAck(Inbound from, HelloAckFrame ack) {
        Peer peer = from.peer();
        if (peer == null || !ack.challenge().equals(peer.challenge())) {
            throw new DecodingException("HELLO_ACK to no HELLO of this worker");
        }
        if (!authenticator.accepts(ack.proof(), peer.party(), self, ack.challenge())) {
            refuse(peer, "its authentication token is another");
            return;
        }
        advance(peer); // the own ACK goes before all messages
        peer.open(ack.readsOverTcp());
        memoryAccess.offer(peer);
    }

    private void refuse(Peer peer, String why) {
        peer.outbox()
                .tryControl(
                        new RejectFrame(
                                RejectFrame.SESSION,
                                RpcErrorKind.CONNECTION.code(),
                                why + "; set the same " + Settings.AUTHENTICATION_TOKEN));
        members.lose(
                peer,
                new RpcConfigurationException(
                        "%s is refused: %s; set the same %s on all workers"
                                .formatted(peer.label(), why, Settings.AUTHENTICATION_TOKEN)));
    }

    @Override
    public void onControl(Peer from, ControlFrame frame) {
        switch (frame) {
            case GoodbyeFrame goodbye -> members.lose(from, from.closed(goodbye.reason()));
            case RejectFrame reject -> onReject(from, reject);
            case SingleCopyDoneFrame done -> {
                if (done.error() != 0) {
                    LOG.log(
                            Level.DEBUG,
                            "{0} could not read a message''s memory: error {1}",
                            from.label(),
                            done.error());
                    if (from.reading() == Reading.TCP) {
                        from.cannotRead();
                    }
                }
                from.outbox().onSingleCopyDone(done);
            }
            case MemoryOfferFrame offer -> memoryAccess.onOffer(from, offer);
            case MemoryAcceptFrame _ -> memoryAccess.onAccept(from);
            default -> throw new DecodingException("an unexpected frame: " + frame);
        }
    }

    private void onReject(Peer from, RejectFrame reject) {
        String text = "%s refused %s: %s";
        if (reject.id() == RejectFrame.SESSION) {
            members.lose(
                    from,
                    new RpcConnectionException(
                            "Connection reset by peer "
                                    + text.formatted(
                                            from.label(), "this worker", reject.reason())));
        } else {
            delivery.fail(
                    from.id(),
                    reject.id(),
                    new RpcException(
                            RpcErrorKind.ofCode(reject.errorKind()),
                            text.formatted(from.label(), "the call", reject.reason())));
        }
    }

    @Override
    public void onMessage(Peer from, IncomingMessage message) {
        delivery.onMessage(from, message);
    }

    @Override
    public void onPayload(
            Peer from, long id, int type, DirectBuffer buffer, int offset, int length) {
        IncomingMessage.requireWithin(length, options.maxMessageBytes());
        byte[] payload = new byte[length];
        buffer.getBytes(offset, payload);
        delivery.onPayload(from, id, type, payload);
    }

    @Override
    public IncomingMessage begin(Peer from, MessageHead head) {
        // One of which buffers are still to be read may have to wait for it.
        ReceiveBudget.Claim claim =
                head.singleCopyCount() == 0 ? null : delivery.budget().claim(from.arriving());
        return new IncomingMessage(head, options.maxMessageBytes(), allocator, claim);
    }

    @Override
    public IncomingMessage announce(Peer from, MessageHead head) {
        ReceiveBudget.Claim claim = delivery.budget().claim(from.arriving());
        var message = new IncomingMessage(head, options.maxMessageBytes(), allocator, claim);
        claim.requireRoomFor(head.bodyLength() - head.prologueLength(), head.payloadLength());
        mayBeUnfinished = true;
        return message;
    }

    /**
     * Look soon at messages that are unfinished, and drop those that so many looks in a row have
     * found without progress. For the poller's thread.
     */
    void lookAtUnfinished(int looks) {
        if (mayBeUnfinished && !isLookDue) {
            isLookDue = true; // those of a time in which nothing is received count once
            receiver.post(() -> dropStalled(looks));
        }
    }

    private void dropStalled(int looks) {
        boolean isUnfinished = false;
        for (Inbound session : receiver.sessions()) {
            isUnfinished |= session.dropIfStalled(looks);
        }
        mayBeUnfinished = isUnfinished;
        isLookDue = false;
    }

    @Override
    public void onRejected(Inbound from, long id, int type, DecodingException why) {
        statistics.framesRejected.increment();
        Peer peer = from.peer();
        LOG.log(
                Level.DEBUG,
                "dropped a frame of {0}: {1}",
                peer == null ? "a session that is no member's" : peer.label(),
                why.getMessage());
        delivery.onUndecodable(peer, id, type, why);
    }

    @Override
    public void onRoomMade() {
        members.onRoomMade();
    }

    @Override
    public void onNoMemory(Peer from, MessageHead head, OutOfMemoryError why) {
        delivery.onNoMemory(from, head, why);
    }
}
