package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;

import java.net.Socket;

/** A connection that a peer has dialed: it carries the peer's requests and their replies. */
final class Visit implements Connection.Owner, Answer.Way {
    private final Session session;
    private final Identity peer;
    private final Visits visits;
    private final Connection connection;

    Visit(Session session, Identity peer, Socket socket, Visits visits) {
        this.session = session;
        this.peer = peer;
        this.visits = visits;
        connection = new Connection("worker" + peer.id(), socket, session, this);
    }

    Identity peer() {
        return peer;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void onFrame(Frame frame) {
        switch (frame) {
            case Frame.Request(long id, Message request) -> {
                if (!MessageTypes.isRequest(request.type())) {
                    throw new DecodingException(
                            "0x%x is not a request type".formatted(request.type()));
                }
                session.handIn(peer.id(), request, new Answer(this, id));
            }
            case Frame.PassedOver(boolean isRequest, long id, String reason) when isRequest ->
                    refuse(id, RpcErrorKind.REFUSED, reason);
            case Frame.Heartbeat() -> {}
            default -> throw new DecodingException("a reply on a connection of requests");
        }
    }

    @Override
    public void reply(long id, Message reply) {
        try {
            session.requireSendable(reply);
            connection.send(new Frame.Reply(id, reply), 0);
        } catch (RpcException refused) {
            refuse(id, refused.kind(), "the reply was refused: " + refused.getMessage());
        }
    }

    @Override
    public void refuse(long id, RpcErrorKind kind, String reason) {
        try {
            connection.send(new Frame.Refusal(id, kind, reason), 0);
        } catch (RpcException full) {
            connection.end("the peer does not read refusals: " + full.getMessage());
        }
    }

    @Override
    public void onEnd(String reason) {
        visits.remove(this);
    }
}
