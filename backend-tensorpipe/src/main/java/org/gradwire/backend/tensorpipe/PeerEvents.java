package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/** Passes what happens in an outbox on to the engine. */
final class PeerEvents implements Outbox.Events {
    private final Engine engine;
    private volatile @Nullable Peer peer;

    PeerEvents(Engine engine) {
        this.engine = engine;
    }

    /** Say whose outbox it is; to be done before it is used. */
    void setPeer(Peer owner) {
        peer = owner;
    }

    @Override
    public void onWaiting() {
        engine.wakeSender();
    }

    @Override
    public void onFailed(Outgoing message, RpcException failure) {
        Peer owner = peer;
        if (owner != null) {
            engine.onFailed(owner, message, failure);
        }
    }

    @Override
    public void onBroken(String reason) {
        Peer owner = peer;
        if (owner != null) {
            engine.loseSoon(
                    owner,
                    new RpcConnectionException(
                            "Connection reset by peer %s: %s".formatted(owner.label(), reason)));
        }
    }
}
