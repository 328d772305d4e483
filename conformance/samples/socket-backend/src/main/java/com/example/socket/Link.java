package com.example.socket;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;

import java.net.Socket;

/**
 * A connection that this agent has dialed: it carries requests to one peer and their replies. Once
 * lost it stays lost; a new holder of the peer's id gets a new link.
 */
final class Link implements Connection.Owner {
    private final Session session;
    private final WorkerInfo peer;
    private final Identity identity;
    private final Visits visits;
    private final Connection connection;
    private boolean isLost; // guarded by this

    Link(Session session, WorkerInfo peer, Identity identity, Socket socket, Visits visits) {
        this.session = session;
        this.peer = peer;
        this.identity = identity;
        this.visits = visits;
        connection = new Connection(peer.name(), socket, session, this);
    }

    void start() {
        connection.start();
    }

    /** {@return the identity of the peer} */
    Identity identity() {
        return identity;
    }

    Connection connection() {
        return connection;
    }

    /**
     * Send a request, which is released in any case.
     *
     * @throws RpcException if it cannot be sent
     */
    void send(long id, Message request, long timeoutNanos) {
        if (!connection.send(new Frame.Request(id, request), timeoutNanos)) {
            throw lost();
        }
    }

    private RpcConnectionException lost() {
        return PendingCalls.lost(peer, connection.endReason());
    }

    @Override
    public void onFrame(Frame frame) {
        switch (frame) {
            case Frame.Reply(long id, Message reply) ->
                    session.pending().complete(id, peer.id(), reply);
            case Frame.Refusal(long id, var kind, String reason) ->
                    session.pending().fail(id, peer.id(), new RpcException(kind, reason));
            case Frame.PassedOver(boolean isRequest, long id, String reason) when !isRequest ->
                    session.pending()
                            .fail(id, peer.id(), new RpcException(RpcErrorKind.REFUSED, reason));
            case Frame.Heartbeat() -> {}
            default -> throw new DecodingException("a request on a connection of replies");
        }
    }

    @Override
    public void onEnd(String reason) {
        lose(reason);
    }

    /**
     * End the link, fail the pending requests, and notify the worker; only the first call has an
     * effect. When this returns, the worker has been notified.
     */
    synchronized void lose(String reason) {
        if (isLost) {
            return;
        }
        isLost = true;
        connection.end(reason);
        visits.end(identity);
        if (!session.isClosed().getAsBoolean()) {
            session.pending().failPeer(peer.id(), this::lost);
            session.listener().onPeerLost(peer.id(), lost());
        }
    }
}
