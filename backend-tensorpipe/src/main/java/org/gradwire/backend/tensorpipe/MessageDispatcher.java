package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.backend.tensorpipe.frame.RejectFrame;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplySink;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Dispatches complete messages: requests to the listener, replies to their pending calls. Ends the
 * calls of messages that are refused or cannot be sent.
 *
 * <p>Confined to the receive loop unless noted.
 */
final class MessageDispatcher implements RemoteBufferReader.Completion {
    private static final Logger LOG = System.getLogger(MessageDispatcher.class.getPackageName());

    /** Creates the sinks for the replies to requests. */
    interface Replies {
        ReplySink sink(Peer peer, long id);
    }

    private final AgentListener listener;
    private final PendingCalls pending;
    private final AgentMetrics metrics;
    private final RemoteBufferReader remoteBuffers;
    private final Replies replies;
    private volatile boolean isStopped;

    MessageDispatcher(
            AgentListener listener,
            PendingCalls pending,
            AgentMetrics metrics,
            RemoteBufferReader remoteBuffers,
            Replies replies) {
        this.listener = listener;
        this.pending = pending;
        this.metrics = metrics;
        this.remoteBuffers = remoteBuffers;
        this.replies = replies;
    }

    /** Drop requests from now on. For any thread. */
    void stop() {
        isStopped = true;
    }

    /** Handle a message whose body has arrived, and release it when it is dispatched or dropped. */
    void onMessage(Peer from, InboundMessage message) {
        boolean isLeft = false;
        try {
            requireKnownType(message.head().type());
            if (message.remotes().isEmpty()) {
                onComplete(from, message);
            } else {
                isLeft = true;
                remoteBuffers.read(from, message, this);
            }
        } finally {
            if (!isLeft) {
                message.release();
            }
        }
    }

    /** Handle a message without buffers. */
    void onPayload(Peer from, long id, int type, byte[] payload) {
        requireKnownType(type);
        dispatch(from, id, new Message(type, payload, List.of()));
    }

    private static void requireKnownType(int type) {
        if (!MessageTypes.isRequest(type) && !MessageTypes.isReply(type)) {
            throw new DecodingException(
                    "a message of type 0x%x is neither request nor reply".formatted(type));
        }
    }

    @Override
    public void onComplete(Peer from, InboundMessage message) {
        dispatch(from, message.head().id(), message.toMessage());
    }

    private void dispatch(Peer from, long id, Message message) {
        metrics.messagesReceived.increment();
        metrics.bytesReceived.add(message.byteSize());
        if (MessageTypes.isReply(message.type())) {
            pending.complete(id, from.id(), message);
        } else if (!isStopped && from.isOpen()) {
            try {
                listener.onRequest(from.id(), message, replies.sink(from, id));
            } catch (RuntimeException | Error thrown) {
                Callbacks.onThrown(metrics, thrown);
                from.sendQueue().control(notHandled(id, thrown));
            }
        }
    }

    private static RejectFrame notHandled(long id, Throwable thrown) {
        return new RejectFrame(
                id, RpcErrorKind.UNKNOWN.code(), "the request could not be delivered: " + thrown);
    }

    /** Dispatch a request of this worker to itself. */
    void dispatchOwnRequest(int self, Message message, ReplySink sink) {
        metrics.messagesReceived.increment();
        metrics.bytesReceived.add(message.byteSize());
        if (!isStopped) {
            Callbacks.run(metrics, () -> listener.onRequest(self, message, sink));
        }
    }

    /** Dispatch a reply of this worker to itself. */
    void dispatchOwnReply(int self, long id, Message message) {
        pending.complete(id, self, message);
    }

    /** Fail a pending call. For any thread. */
    void fail(int peer, long id, RuntimeException failure) {
        pending.fail(id, peer, failure);
    }

    /** Fail the call of a message that cannot be sent, here or at the peer. For any thread. */
    void onSendFailed(Peer to, OutboundMessage message, RpcException failure) {
        RpcException reason = to.isLost() ? to.closedFailure() : failure;
        if (message.isRequest()) {
            fail(to.id(), message.id(), reason);
        } else {
            refuseReply(to, message.id(), reason);
        }
    }

    /** Notify the caller that no reply will follow. For any thread. */
    void refuseReply(Peer to, long id, RpcException reason) {
        to.sendQueue()
                .control(
                        new RejectFrame(
                                id, reason.kind().code(), String.valueOf(reason.getMessage())));
    }

    /** Report the loss of a member to the listener. */
    void reportLoss(int peer, RpcException reason) {
        Callbacks.run(metrics, () -> listener.onPeerLost(peer, reason));
    }

    /** Fail the call of an inbound message that cannot be decoded, if any. For any thread. */
    @Override
    public void onUndecodable(@Nullable Peer from, long id, int type, DecodingException why) {
        if (from != null && id != RejectFrame.SESSION) {
            refuse(from, id, type, RpcErrorKind.UNDECODABLE, String.valueOf(why.getMessage()));
        }
    }

    /** Fail the call of an inbound message for which there is no memory. For any thread. */
    @Override
    public void onNoMemory(Peer from, MessageHead head, OutOfMemoryError why) {
        LOG.log(Level.WARNING, "no memory for a message from " + from.label(), why);
        refuse(
                from,
                head.id(),
                head.type(),
                RpcErrorKind.REFUSED,
                "no memory to receive the message: " + why.getMessage());
    }

    private void refuse(Peer from, long id, int type, RpcErrorKind kind, String reason) {
        if (MessageTypes.isRequest(type)) {
            from.sendQueue().control(new RejectFrame(id, kind.code(), reason));
        } else if (MessageTypes.isReply(type)) {
            fail(
                    from.id(),
                    id,
                    new RpcException(
                            kind, "the reply of " + from.label() + " was refused: " + reason));
        }
    }
}
