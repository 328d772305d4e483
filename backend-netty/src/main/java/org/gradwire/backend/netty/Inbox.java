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

/** Hands in what arrives: requests to the listener, replies to whom they answer. */
final class Inbox {
    private static final System.Logger LOG = System.getLogger(Inbox.class.getPackageName());

    /** What is done about peers. */
    interface Peers {

        /** Give a peer up. */
        void lose(Peer peer, String reason);

        /** Send the reply to a request. For any thread. */
        void reply(Peer peer, long id, Message reply);
    }

    private final PeerLog log = new PeerLog(LOG);
    private final AgentListener listener;
    private final PendingCalls pending;
    private final BufferAllocator allocator;
    private final ReceiveBudget budget;
    private final Options options;
    private final Statistics statistics;
    private final Peers peers;
    private volatile boolean isStopped;

    Inbox(
            AgentListener listener,
            PendingCalls pending,
            BufferAllocator allocator,
            ReceiveBudget budget,
            Options options,
            Statistics statistics,
            Peers peers) {
        this.listener = listener;
        this.pending = pending;
        this.allocator = allocator;
        this.budget = budget;
        this.options = options;
        this.statistics = statistics;
        this.peers = peers;
    }

    long maxMessageBytes() {
        return options.maxMessageBytes();
    }

    BufferAllocator allocator() {
        return allocator;
    }

    ReceiveBudget budget() {
        return budget;
    }

    /** Hand nothing in any more. For any thread. */
    void stop() {
        isStopped = true;
    }

    /** A message that has not arrived as a whole. */
    IncomingMessage begin(Peer from, FrameHeader header) {
        return new IncomingMessage(
                header, maxMessageBytes(), allocator, budget.claim(from.arriving()));
    }

    void onRequest(Peer from, long id, Message request) {
        if (!MessageTypes.isRequest(request.type())) {
            throw new DecodingException(
                    "a request of type 0x%x, which is none".formatted(request.type()));
        }
        if (isStopped || from.isLost()) {
            return;
        }
        statistics.received(request);
        try {
            listener.onRequest(
                    from.id(), request, new Reply(reply -> peers.reply(from, id, reply)));
        } catch (Throwable thrown) {
            onThrown(thrown);
            from.send(
                    Outgoing.text(
                            FrameHeader.Kind.REJECT,
                            id,
                            RpcErrorKind.UNKNOWN.code(),
                            "the request could not be handed in: " + thrown));
        }
    }

    /** Take a request of this worker to itself. */
    void onOwnRequest(int self, Message request, Reply reply) {
        if (isStopped) {
            return;
        }
        statistics.received(request);
        try {
            listener.onRequest(self, request, reply);
        } catch (Throwable thrown) {
            onThrown(thrown);
            reply.fail("the request could not be handed in: " + thrown);
        }
    }

    private void onThrown(Throwable thrown) {
        LOG.log(Level.ERROR, "a listener threw; it must not", thrown);
    }

    void onReply(Peer from, long id, Message reply) {
        if (!MessageTypes.isReply(reply.type())) {
            throw new DecodingException(
                    "a reply of type 0x%x, which is none".formatted(reply.type()));
        }
        statistics.received(reply);
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

    /** Answer a message that is refused, if there is a call that waits because of it. */
    void onRefused(Peer from, FrameHeader header, RpcErrorKind kind, String reason) {
        statistics.messagesRefused.increment();
        if (header.kind() == FrameHeader.Kind.REQUEST) {
            from.send(Outgoing.text(FrameHeader.Kind.REJECT, header.id(), kind.code(), reason));
        } else {
            pending.fail(
                    header.id(),
                    from.id(),
                    new RpcException(
                            kind, "the reply of %s was refused: %s".formatted(from, reason)));
        }
    }

    /** Give up a peer that writes what no Gradwire writes. */
    void onSenseless(Peer from, DecodingException why) {
        log.log(
                Level.WARNING,
                from.id(),
                () -> "%s is given up: %s".formatted(from, why.getMessage()));
        peers.lose(from, "it sent " + why.getMessage());
    }

    void onGoodbye(Peer from, String reason) {
        peers.lose(from, reason);
    }

    void onLaneClosed(Peer from, String reason) {
        peers.lose(from, reason);
    }

    /** Tell that a peer is lost. */
    void tellLost(Peer peer, RpcException reason) {
        try {
            listener.onPeerLost(peer.id(), reason);
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }
}
