package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PeerLog;
import org.gradwire.spi.PendingCalls;

import java.lang.System.Logger.Level;

/**
 * Delivers arriving messages: requests to the listener, replies to the calls that wait for them.
 * Confined to the loop unless noted.
 */
final class MessageDispatcher {
    private static final System.Logger LOG =
            System.getLogger(MessageDispatcher.class.getPackageName());

    /** Operations on peers. */
    interface Peers {

        /** Lose a peer. */
        void lose(Peer peer, String reason);

        /** Send the reply to a request. Thread-safe. */
        void reply(Peer peer, long id, Message reply);
    }

    private final PeerLog log = new PeerLog(LOG);
    private final AgentListener listener;
    private final PendingCalls pending;
    private final BufferAllocator allocator;
    private final ReceiveBudget budget;
    private final long maxMessageBytes;
    private final AgentMetrics metrics;
    private final Peers peers;
    private int delivered;
    private volatile boolean isStopped;

    MessageDispatcher(
            AgentListener listener,
            PendingCalls pending,
            BufferAllocator allocator,
            ReceiveBudget budget,
            long maxMessageBytes,
            AgentMetrics metrics,
            Peers peers) {
        this.listener = listener;
        this.pending = pending;
        this.allocator = allocator;
        this.budget = budget;
        this.maxMessageBytes = maxMessageBytes;
        this.metrics = metrics;
        this.peers = peers;
    }

    long maxMessageBytes() {
        return maxMessageBytes;
    }

    /** {@return the number of messages that were delivered, which overflows} */
    int delivered() {
        return delivered;
    }

    /** Drop all further requests. Thread-safe. */
    void stop() {
        isStopped = true;
    }

    /** {@return a message that is about to arrive} */
    InboundMessage begin(Peer from, FrameHeader header) {
        return new InboundMessage(
                header, maxMessageBytes, allocator, budget.claim(from.arriving()));
    }

    void onRequest(Peer from, long id, Message request) {
        if (!MessageTypes.isRequest(request.type())) {
            throw new DecodingException(
                    "a request of type 0x%x, which is not a request type"
                            .formatted(request.type()));
        }
        if (isStopped || from.isLost()) {
            return;
        }
        metrics.received(request);
        delivered++;
        try {
            listener.onRequest(
                    from.id(), request, new Reply(reply -> peers.reply(from, id, reply)));
        } catch (Throwable thrown) {
            onThrown(thrown);
            from.send(
                    OutboundFrame.text(
                            FrameHeader.Kind.REJECT,
                            id,
                            RpcErrorKind.UNKNOWN.code(),
                            "the request could not be delivered: " + thrown));
        }
    }

    /** Deliver a request of this worker to itself. */
    void onOwnRequest(int self, Message request, Reply reply) {
        if (isStopped) {
            return;
        }
        metrics.received(request);
        try {
            listener.onRequest(self, request, reply);
        } catch (Throwable thrown) {
            onThrown(thrown);
            reply.fail("the request could not be delivered: " + thrown);
        }
    }

    private void onThrown(Throwable thrown) {
        LOG.log(Level.ERROR, "a listener threw an exception, which it must not", thrown);
    }

    void onReply(Peer from, long id, Message reply) {
        if (!MessageTypes.isReply(reply.type())) {
            throw new DecodingException(
                    "a reply of type 0x%x, which is not a reply type".formatted(reply.type()));
        }
        metrics.received(reply);
        delivered++;
        if (!from.isLost()) {
            pending.complete(id, from.id(), reply);
        }
    }

    void onReject(Peer from, long id, int errorKind, String reason) {
        pending.fail(
                id,
                from.id(),
                new RpcException(
                        RpcErrorKind.ofCode(errorKind),
                        "%s refused the call: %s".formatted(from, reason)));
    }

    /** Reject a refused request, or fail the call whose reply is refused. */
    void onRefused(Peer from, FrameHeader header, RpcErrorKind kind, String reason) {
        metrics.messagesRefused.increment();
        if (header.kind() == FrameHeader.Kind.REQUEST) {
            from.send(
                    OutboundFrame.text(FrameHeader.Kind.REJECT, header.id(), kind.code(), reason));
        } else {
            pending.fail(
                    header.id(),
                    from.id(),
                    new RpcException(
                            kind, "the reply of %s was refused: %s".formatted(from, reason)));
        }
    }

    /** Lose a peer whose frames violate the protocol. */
    void onMalformed(Peer from, DecodingException violation) {
        log.log(
                Level.WARNING,
                from.id(),
                () ->
                        "%s violated the protocol and is lost: %s"
                                .formatted(from, violation.getMessage()));
        peers.lose(from, "it sent " + violation.getMessage());
    }

    void onGoodbye(Peer from, String reason) {
        peers.lose(from, reason);
    }

    void onLaneClosed(Peer from, String reason) {
        peers.lose(from, reason);
    }

    /** Notify the listener that a peer is lost. */
    void notifyLost(Peer peer, RpcException reason) {
        try {
            listener.onPeerLost(peer.id(), reason);
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }
}
