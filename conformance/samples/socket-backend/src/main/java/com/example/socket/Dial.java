package com.example.socket;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** An attempt to connect to a member, until it succeeds, fails, or the member leaves. */
final class Dial {
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    private final Session session;
    private final WorkerInfo member;
    private final long deadline;
    private volatile boolean isGivenUp;

    Dial(Session session, WorkerInfo member, long deadline) {
        this.session = session;
        this.member = member;
        this.deadline = deadline;
    }

    /** Cancel the attempt, because the member has left the group. */
    void giveUp() {
        isGivenUp = true;
    }

    boolean isGivenUp() {
        return isGivenUp || session.isClosed().getAsBoolean();
    }

    /** {@return the member's address, once it is published} */
    Address address() {
        return Address.of(member.id(), session.context().store(), left());
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    }

    /**
     * Connect and perform the handshake.
     *
     * @return the connection; null if the member has left meanwhile
     * @throws RpcConnectionException if it cannot be reached or refuses the connection
     */
    @Nullable Socket connect(Address address) {
        while (!isGivenUp()) {
            try {
                return tryToConnect(address);
            } catch (ConnectException | DecodingException e) {
                // The member listened before it published its address, so its process has ended,
                // and another one may listen there now.
                throw unreachable(address, e);
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw unreachable(address, e);
                }
                LockSupport.parkNanos(PAUSE_NANOS); // it may be busy with other handshakes
            }
        }
        return null;
    }

    private Socket tryToConnect(Address address) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(address.resolve(), (int) left().toMillis());
            new Handshake(session).greet(socket, address.identity(), deadline);
            return socket;
        } catch (IOException | RuntimeException e) {
            Connection.closeQuietly(socket);
            throw e;
        }
    }

    private RpcConnectionException unreachable(Address address, Exception why) {
        return new RpcConnectionException(
                "Connection to %s at %s:%d failed: %s"
                        .formatted(member, address.host(), address.port(), why.getMessage()),
                why);
    }
}
