package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/** Forwards the events of one peer's send queue to the agent. Thread-safe. */
final class PeerListener implements SendQueue.Events {
    private final Sender sender;
    private final MessageDispatcher messageDispatcher;
    private final PeerCloser closer;
    private volatile @Nullable Peer peer;

    PeerListener(Sender sender, MessageDispatcher messageDispatcher, PeerCloser closer) {
        this.sender = sender;
        this.messageDispatcher = messageDispatcher;
        this.closer = closer;
    }

    /** Set the owner of the queue, before the queue is used. */
    void setPeer(Peer owner) {
        peer = owner;
    }

    @Override
    public void onWaiting() {
        sender.wake();
    }

    @Override
    public void onFailed(OutboundMessage message, RpcException failure) {
        Peer owner = peer;
        if (owner != null) {
            messageDispatcher.onSendFailed(owner, message, failure);
        }
    }

    @Override
    public void onBroken(String reason) {
        Peer owner = peer;
        if (owner != null) {
            closer.loseSoon(
                    owner,
                    new RpcConnectionException(
                            "Connection reset by peer %s: %s".formatted(owner.label(), reason)));
        }
    }
}
