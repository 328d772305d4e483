package org.gradwire.backend.netty;

import org.gradwire.spi.Store;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import javax.net.SocketFactory;

/** A member of a group that writes arbitrary bytes to sockets. */
final class RawPeer implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final SharedSecret NO_TOKEN = new SharedSecret("");

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

        RawConnection(Socket connected) throws IOException {
            socket = connected;
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

    /** The secret of the last lane. */
    SharedSecret renewalSecret = NO_TOKEN;

    private final SocketFactory sockets;
    private final List<RawConnection> connections = new ArrayList<>();

    /** Publish an address of this peer in the store. */
    RawPeer(int id, int targetId, Store store) {
        this(id, targetId, store, SocketFactory.getDefault());
    }

    /** Publish an address of this peer in the store. */
    RawPeer(int id, int targetId, Store store, SocketFactory sockets) {
        this.sockets = sockets;
        target = Address.decode(store.get("worker/worker" + targetId + "/netty/address", WAIT));
        String name = new String(store.get("netty/group", WAIT), StandardCharsets.US_ASCII);
        group = Long.parseUnsignedLong(name, 16);
        from = new Identity.Member(id, ThreadLocalRandom.current().nextLong());
        to = new Identity.Member(targetId, target.incarnation());
        // Not its own address: the agent has a smaller id, so it does not connect.
        store.set(
                "worker/worker" + id + "/netty/address",
                new Address(from.incarnation(), target.socket(), target.isEncrypted()).encode());
    }

    RawConnection connect() throws IOException {
        return add(connect(sockets));
    }

    Socket connect(SocketFactory by) throws IOException {
        return by.createSocket(target.socket().getAddress(), target.socket().getPort());
    }

    /** Connect from another address of this host. */
    RawConnection connectFrom(String address) throws IOException {
        InetSocketAddress to = target.socket();
        return add(new Socket(to.getAddress(), to.getPort(), InetAddress.ofLiteral(address), 0));
    }

    private RawConnection add(Socket socket) throws IOException {
        var connection = new RawConnection(socket);
        connections.add(connection);
        return connection;
    }

    Handshake.Hello hello(boolean isForLarge) {
        Purpose purpose = isForLarge ? Purpose.LARGE_LANE : Purpose.SMALL_LANE;
        return new Handshake.Hello(false, purpose, 0, group, from, to, Handshake.newChallenge());
    }

    Handshake.Hello renewal(int number) {
        return new Handshake.Hello(
                false, Purpose.RENEWAL, number, group, from, to, Handshake.newChallenge());
    }

    /** {@return a connection after a successful handshake} */
    RawConnection open(boolean isForLarge) throws IOException {
        RawConnection connection = connect();
        Handshake.Hello hello = hello(isForLarge);
        byte[] challenge = challenge(connection);
        requireProven(connection, hello, NO_TOKEN, challenge);
        renewalSecret = hello.renewalSecret(NO_TOKEN, challenge);
        return connection;
    }

    static byte[] challenge(RawConnection connection) throws IOException {
        return Handshake.decodeChallenge(
                ByteBuffer.wrap(connection.read(Handshake.CHALLENGE_BYTES)));
    }

    /** Send a HELLO, which the agent must accept. */
    static void requireProven(
            RawConnection connection, Handshake.Hello hello, SharedSecret secret, byte[] challenge)
            throws IOException {
        connection.write(hello.encode(secret, challenge).array());
        ByteBuffer welcome = ByteBuffer.wrap(connection.read(Handshake.WELCOME_BYTES));
        Handshake.Outcome outcome = hello.readWelcome(welcome, secret, challenge);
        if (!outcome.isProven()) {
            throw new AssertionError(outcome.refusal());
        }
    }

    @Override
    public void close() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
    }
}
