package org.gradwire.backend.tensorpipe;

import io.aeron.Image;

import org.agrona.DirectBuffer;
import org.gradwire.backend.tensorpipe.channel.BulkReadMode;
import org.gradwire.backend.tensorpipe.frame.ControlFrame;
import org.gradwire.backend.tensorpipe.frame.GoodbyeFrame;
import org.gradwire.backend.tensorpipe.frame.HelloAckFrame;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryAcceptFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryOfferFrame;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.backend.tensorpipe.frame.RejectFrame;
import org.gradwire.backend.tensorpipe.frame.SingleCopyDoneFrame;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Creates the inbound sessions and dispatches their frames: handshake frames to the {@link
 * Handshake}, messages to the {@link MessageDispatcher}, control frames to the peers.
 *
 * <p>Confined to the receive loop unless noted.
 */
final class FrameDispatcher implements InboundSession.Handler, MessageAssembler.Handler {
    private static final Logger LOG = System.getLogger(FrameDispatcher.class.getPackageName());

    private final AgentMetrics metrics;
    private final Receiver receiver;
    private final Handshake handshake;
    private final PeerCloser closer;
    private final InboundMessages messages;
    private final MessageDispatcher messageDispatcher;
    private final Runnable ringDriver;
    private volatile boolean mayBeUnfinished; // a message in chunks
    private volatile boolean isCheckDue;

    /**
     * Create a dispatcher.
     *
     * @param ringDriver called after much of a log over UDP has been read, so that the driver
     *     reports the room to the writer
     */
    FrameDispatcher(
            AgentMetrics metrics,
            Receiver receiver,
            Handshake handshake,
            PeerCloser closer,
            InboundMessages messages,
            MessageDispatcher messageDispatcher,
            Runnable ringDriver) {
        this.metrics = metrics;
        this.receiver = receiver;
        this.handshake = handshake;
        this.closer = closer;
        this.messages = messages;
        this.messageDispatcher = messageDispatcher;
        this.ringDriver = ringDriver;
    }

    /** Handle a new session. */
    void onImage(Image image) {
        receiver.add(new InboundSession(image, this, new MessageAssembler(this)));
    }

    /** Handle the end of a session. */
    void onImageGone(Image image) {
        InboundSession session = receiver.remove(image);
        if (session == null) {
            return;
        }
        Peer peer = session.peer();
        session.refuse();
        if (peer != null && peer.inboundSession() == session) {
            closer.lose(
                    peer,
                    new RpcConnectionException(
                            "Connection reset by peer %s: its log has ended"
                                    .formatted(peer.label())));
        }
    }

    @Override
    public void onHello(InboundSession from, HelloFrame hello) {
        handshake.onHello(from, hello);
    }

    @Override
    public void requireForThisWorker(HelloFrame hello) {
        handshake.requireForThisWorker(hello);
    }

    @Override
    public void onHelloAck(InboundSession from, HelloAckFrame ack) {
        handshake.onHelloAck(from, ack);
    }

    @Override
    public void onControl(Peer from, ControlFrame frame) {
        switch (frame) {
            case GoodbyeFrame goodbye -> closer.lose(from, from.closed(goodbye.reason()));
            case RejectFrame reject -> onReject(from, reject);
            case SingleCopyDoneFrame done -> onSingleCopyDone(from, done);
            case MemoryOfferFrame offer -> handshake.onMemoryOffer(from, offer);
            case MemoryAcceptFrame _ -> handshake.onMemoryAccept(from);
            default -> throw new DecodingException("an unexpected frame: " + frame);
        }
    }

    private static void onSingleCopyDone(Peer from, SingleCopyDoneFrame done) {
        if (done.error() != 0) {
            LOG.log(
                    Level.DEBUG,
                    "{0} could not read a message''s memory: error {1}",
                    from.label(),
                    done.error());
            if (from.bulkReadMode() == BulkReadMode.TCP) {
                from.cannotRead();
            }
        }
        from.sendQueue().onSingleCopyDone(done);
    }

    private void onReject(Peer from, RejectFrame reject) {
        String text = "%s refused %s: %s";
        if (reject.id() == RejectFrame.SESSION) {
            closer.lose(
                    from,
                    new RpcConnectionException(
                            "Connection reset by peer "
                                    + text.formatted(
                                            from.label(), "this worker", reject.reason())));
        } else {
            messageDispatcher.fail(
                    from.id(),
                    reject.id(),
                    new RpcException(
                            RpcErrorKind.ofCode(reject.errorKind()),
                            text.formatted(from.label(), "the call", reject.reason())));
        }
    }

    @Override
    public void onMessage(Peer from, InboundMessage message) {
        messageDispatcher.onMessage(from, message);
    }

    @Override
    public void onPayload(
            Peer from, long id, int type, DirectBuffer buffer, int offset, int length) {
        messageDispatcher.onPayload(from, id, type, messages.payload(buffer, offset, length));
    }

    @Override
    public InboundMessage create(Peer from, MessageHead head) {
        return messages.create(from, head);
    }

    @Override
    public InboundMessage createChunked(Peer from, MessageHead head) {
        InboundMessage message = messages.createChunked(from, head);
        mayBeUnfinished = true;
        return message;
    }

    /**
     * Check unfinished messages soon, and drop those without progress in the given number of
     * consecutive checks. For the poller.
     */
    void dropStalledSoon(int checks) {
        if (mayBeUnfinished && !isCheckDue) {
            isCheckDue = true; // checks count once while no frame is received
            receiver.post(() -> dropStalled(checks));
        }
    }

    private void dropStalled(int checks) {
        assert receiver.isInLoop();
        boolean isUnfinished = false;
        for (InboundSession session : receiver.sessions()) {
            isUnfinished |= session.dropIfStalled(checks);
        }
        mayBeUnfinished = isUnfinished;
        isCheckDue = false;
    }

    @Override
    public void onRejected(@Nullable Peer from, long id, int type, DecodingException why) {
        metrics.framesRejected.increment();
        LOG.log(
                Level.DEBUG,
                "dropped a frame of {0}: {1}",
                from == null ? "a session of no known member" : from.label(),
                why.getMessage());
        messageDispatcher.onUndecodable(from, id, type, why);
    }

    @Override
    public void onNoMemory(Peer from, MessageHead head, OutOfMemoryError why) {
        messageDispatcher.onNoMemory(from, head, why);
    }

    @Override
    public void onRoomMade() {
        ringDriver.run();
    }
}
