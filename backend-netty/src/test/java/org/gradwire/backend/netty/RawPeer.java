package org.gradwire.backend.netty;

import org.gradwire.spi.Store;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A member of a group that writes arbitrary bytes to plain sockets. */
final class RawPeer implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** A received frame. */
    record Frame(int kind, long id, int type, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    /** A connection to the agent. */
    static final class RawConnection implements AutoCloseable {
        final Socket socket;
        final DataInputStream in;
        final OutputStream out;

        RawConnection(Address target) throws IOException {
            socket = new Socket(target.socket().getAddress(), target.socket().getPort());
            socket.setSoTimeout(20_000);
            in = new DataInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        byte[] read(int bytes) throws IOException {
            byte[] read = new byte[bytes];
            in.readFully(read);
            return read;
        }

        void write(byte[] bytes) throws IOException {
            out.write(bytes);
        }

        /** Read until the agent closes the connection. */
        void awaitEnd() throws IOException {
            byte[] part = new byte[4096];
            try {
                while (in.read(part) >= 0) {
                    // earlier bytes do not matter
                }
            } catch (java.net.SocketException _) {
                // closed with unread bytes of this end
            }
        }

        /** Read frames until one that belongs to a call. */
        Frame await(long id) throws IOException {
            while (true) {
                ByteBuffer head =
                        ByteBuffer.wrap(read(FrameHeader.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
                byte[] payload = read(head.getInt(4));
                var frame = new Frame(head.get(0), head.getLong(8), head.getInt(16), payload);
                if (frame.id == id && frame.kind != FrameHeader.Kind.HEARTBEAT.code()) {
                    return frame;
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    final Address target;
    final long group;
    final Identity.Member from;
    final Identity.Member to;
    private final List<RawConnection> connections = new ArrayList<>();

    /** Publish an address of this peer in the store. */
    RawPeer(int id, int targetId, Store store) {
        target = Address.decode(store.get("worker/worker" + targetId + "/netty/address", WAIT));
        String name = new String(store.get("netty/group", WAIT), StandardCharsets.US_ASCII);
        group = Long.parseUnsignedLong(name, 16);
        from = new Identity.Member(id, ThreadLocalRandom.current().nextLong());
        to = new Identity.Member(targetId, target.incarnation());
        // Not its own address: the agent has a smaller id, so it does not connect.
        store.set(
                "worker/worker" + id + "/netty/address",
                new Address(from.incarnation(), target.socket(), false).encode());
    }

    RawConnection connect() throws IOException {
        var connection = new RawConnection(target);
        connections.add(connection);
        return connection;
    }

    Handshake.Hello hello(boolean isForLarge) {
        return new Handshake.Hello(false, isForLarge, group, from, to, Handshake.newChallenge());
    }

    /** {@return a connection after a successful handshake} */
    RawConnection open(boolean isForLarge) throws IOException {
        RawConnection connection = connect();
        byte[] challenge =
                Handshake.decodeChallenge(
                        ByteBuffer.wrap(connection.read(Handshake.CHALLENGE_BYTES)));
        Handshake.Hello hello = hello(isForLarge);
        var none = new SharedSecret("");
        connection.write(hello.encode(none, challenge).array());
        ByteBuffer welcome = ByteBuffer.wrap(connection.read(Handshake.WELCOME_BYTES));
        Handshake.Outcome outcome = hello.readWelcome(welcome, none, challenge);
        if (!outcome.isProven()) {
            throw new AssertionError(outcome.refusal());
        }
        return connection;
    }

    @Override
    public void close() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
    }
}
