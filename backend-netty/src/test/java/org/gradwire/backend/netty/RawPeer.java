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

/** A member of a group that is made of nothing but sockets, so that it can say anything. */
final class RawPeer implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** A frame as it came. */
    record Frame(int kind, long id, int type, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    /** A connection to the agent. */
    static final class Line implements AutoCloseable {
        final Socket socket;
        final DataInputStream in;
        final OutputStream out;

        Line(Address target) throws IOException {
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
                    // what it said before does not matter
                }
            } catch (java.net.SocketException _) {
                // closed while something of this end was still unread
            }
        }

        /** Read frames until one is of this call. */
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
    final Identity.Party from;
    final Identity.Party to;
    private final List<Line> lines = new ArrayList<>();

    /** Leave an address in the store, under which an agent finds this. */
    RawPeer(int id, int targetId, Store store) {
        target = Address.decode(store.get("netty/" + targetId, WAIT));
        String name = new String(store.get("netty/group", WAIT), StandardCharsets.US_ASCII);
        group = Long.parseUnsignedLong(name, 16);
        from = new Identity.Party(id, ThreadLocalRandom.current().nextLong());
        to = new Identity.Party(targetId, target.incarnation());
        // Nobody listens there, and nobody with a smaller id connects to it.
        store.set("netty/" + id, new Address(from.incarnation(), target.socket(), false).encode());
    }

    Line line() throws IOException {
        var line = new Line(target);
        lines.add(line);
        return line;
    }

    Greeting.Hello hello(boolean isForLarge) {
        return new Greeting.Hello(false, isForLarge, group, from, to, Greeting.newChallenge());
    }

    /** {@return a line on which the agent has taken a greeting} */
    Line greeted(boolean isForLarge) throws IOException {
        Line line = line();
        byte[] challenge =
                Greeting.decodeChallenge(ByteBuffer.wrap(line.read(Greeting.CHALLENGE_BYTES)));
        Greeting.Hello hello = hello(isForLarge);
        var none = new Token("");
        line.write(hello.encode(none, challenge).array());
        ByteBuffer welcome = ByteBuffer.wrap(line.read(Greeting.WELCOME_BYTES));
        Greeting.Answer answer = hello.answer(welcome, none, challenge);
        if (!answer.isProven()) {
            throw new AssertionError(answer.why());
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        for (Line line : lines) {
            line.close();
        }
    }
}
