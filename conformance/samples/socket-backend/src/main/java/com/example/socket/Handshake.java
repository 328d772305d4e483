package com.example.socket;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.function.Function;

/**
 * Performs the mutual authentication that opens a connection. All parts have fixed sizes, except
 * the text of a refusal.
 *
 * <pre>
 * listener: challenge  magic 4, version 4, nonce 16
 * dialer:   handshake   magic 4, version 4, id 4, incarnation 8, mark 8, nonce 16, proof 32
 * listener: answer     1, proof 32                       and the connection is open, or
 *                      0, text length 2, text            and it is closed
 * </pre>
 *
 * <p>A proof shows that its author knows the group's token without revealing it. It covers both
 * nonces, so that it cannot be replayed, and both identities, so that a dialer cannot reach another
 * agent that now uses the address.
 */
final class Handshake {
    private static final int MAGIC = 0x4757_534b; // GWSK
    // Buffers are sent in the sender's byte order, so both sides must have the same.
    private static final int VERSION = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : -1;
    private static final int NONCE_BYTES = 16;

    private final Identity self;
    private final String token;

    Handshake(Session session) {
        self = session.identity();
        token = session.options().token();
    }

    /**
     * Authenticate to the listener.
     *
     * @throws RpcConnectionException if it is another agent or refuses this one
     * @throws IOException if it does not answer in time
     */
    void greet(Socket socket, Identity peer, long deadline) throws IOException {
        var in = new DataInputStream(new TimedInput(socket, deadline));
        requireHead(in);
        byte[] challenge = in.readNBytes(NONCE_BYTES);
        byte[] nonce = nonce();
        var proof = new Proof(token, challenge, nonce, self, peer);
        send(
                socket,
                out -> {
                    writeHead(out);
                    out.writeInt(self.id());
                    out.writeLong(self.incarnation());
                    out.writeLong(self.mark());
                    out.write(nonce);
                    out.write(proof.ofDialer());
                });
        if (!in.readBoolean()) {
            throw refused(peer, in.readUTF());
        }
        if (!MessageDigest.isEqual(proof.ofListener(), in.readNBytes(Proof.BYTES))) {
            throw refused(peer, "it does not know this group's " + Settings.AUTHENTICATION_TOKEN);
        }
    }

    private static RpcConnectionException refused(Identity peer, String reason) {
        return new RpcConnectionException(
                "Connection to worker %d refused: %s".formatted(peer.id(), reason));
    }

    /**
     * Authenticate the dialer.
     *
     * @param objections returns why an agent must be refused; null to accept it
     * @return its identity; null if it was refused, and notified
     * @throws DecodingException if it does not speak this protocol
     * @throws IOException if it does not answer in time
     */
    @Nullable Identity receive(
            Socket socket, long deadline, Function<Identity, @Nullable String> objections)
            throws IOException {
        byte[] challenge = nonce();
        send(
                socket,
                out -> {
                    writeHead(out);
                    out.write(challenge);
                });
        var in = new DataInputStream(new TimedInput(socket, deadline));
        requireHead(in);
        var peer = new Identity(in.readInt(), in.readLong(), in.readLong());
        byte[] nonce = in.readNBytes(NONCE_BYTES);
        var proof = new Proof(token, challenge, nonce, peer, self);
        boolean isProven = MessageDigest.isEqual(proof.ofDialer(), in.readNBytes(Proof.BYTES));
        String objection =
                isProven
                        ? objections.apply(peer)
                        : "the tokens (%s) differ, or another worker is meant"
                                .formatted(Settings.AUTHENTICATION_TOKEN);
        send(
                socket,
                out -> {
                    out.writeBoolean(objection == null);
                    if (objection == null) {
                        out.write(proof.ofListener());
                    } else {
                        out.writeUTF(objection);
                    }
                });
        return objection == null ? peer : null;
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        return nonce;
    }

    private static void writeHead(DataOutputStream out) throws IOException {
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
    }

    private static void requireHead(DataInputStream in) throws IOException {
        int magic = in.readInt();
        int version = in.readInt();
        if (magic != MAGIC || version != VERSION) {
            throw new DecodingException(
                    "it begins with 0x%x %d, not with 0x%x %d"
                            .formatted(magic, version, MAGIC, VERSION));
        }
    }

    /** Writes a part of the handshake. */
    private interface Part {
        void write(DataOutputStream out) throws IOException;
    }

    /**
     * Send a part. Parts are small enough for the socket's buffer, so that writing does not block.
     */
    private static void send(Socket socket, Part part) throws IOException {
        var bytes = new ByteArrayOutputStream();
        part.write(new DataOutputStream(bytes));
        bytes.writeTo(socket.getOutputStream());
    }

    /** The input of a socket with one deadline for all bytes, however slowly they arrive. */
    private static final class TimedInput extends InputStream {
        private final Socket socket;
        private final long deadline;

        TimedInput(Socket socket, long deadline) {
            this.socket = socket;
            this.deadline = deadline;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new SocketTimeoutException("no handshake in time");
            }
            socket.setSoTimeout((int) millis);
            return socket.getInputStream().read(bytes, from, length);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }
    }
}
