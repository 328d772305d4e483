package com.example.socket.test;

import org.gradwire.spi.Store;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A group member that performs a correct handshake and then sends arbitrary bytes. It implements
 * the protocol a second time, so that the backend is not tested against itself.
 *
 * @param identity id, incarnation and mark, as in the handshake
 */
record RawMember(byte[] identity) {
    private static final byte[] HEAD = {'G', 'W', 'S', 'K', 0, 0, 0, 1};
    private static final int NONCE_BYTES = 16;
    private static final int PROOF_BYTES = 32;
    private static final int MOST_MILLIS = 20_000;

    static RawMember of(int id, long incarnation, long mark) {
        return new RawMember(
                ByteBuffer.allocate(20).putInt(id).putLong(incarnation).putLong(mark).array());
    }

    /** An agent as its published address describes it. */
    private record Target(int port, RawMember member) {
        static Target of(int id, Store store) {
            byte[] text = store.get("socket/address/" + id, Duration.ofSeconds(20));
            String[] parts = new String(text, StandardCharsets.UTF_8).split(" ");
            return new Target(
                    Integer.parseInt(parts[1]),
                    RawMember.of(id, Long.parseLong(parts[2]), Long.parseLong(parts[3])));
        }
    }

    /** Connect to an agent. Reads time out after a few seconds. */
    static Socket dial(int id, Store store) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), Target.of(id, store).port());
        socket.setSoTimeout(MOST_MILLIS);
        return socket;
    }

    /** {@return the first bytes that this member sends to an agent it has dialed} */
    byte[] handshake(Socket socket, int id, Store store) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        in.readFully(new byte[HEAD.length]);
        byte[] challenge = in.readNBytes(NONCE_BYTES);
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] proof = proof('d', challenge, nonce, this, Target.of(id, store).member());
        return joined(HEAD, identity, nonce, proof);
    }

    /** Read the reply to the handshake; {@return whether it accepts this member} */
    boolean isLetIn(Socket socket) throws IOException {
        boolean isLetIn = socket.getInputStream().read() == 1;
        if (isLetIn) {
            socket.getInputStream().readNBytes(PROOF_BYTES);
        }
        return isLetIn;
    }

    /** Publish this member's address. */
    void listen(ServerSocket door, Store store) {
        announce(door.getLocalPort(), store);
    }

    /** Publish this member as the holder of its id, whether or not it listens. */
    void announce(int port, Store store) {
        ByteBuffer parts = ByteBuffer.wrap(identity);
        int id = parts.getInt();
        String text = "127.0.0.1 %d %d %d".formatted(port, parts.getLong(), parts.getLong());
        store.set("socket/address/" + id, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Accept and authenticate a connection. */
    Socket accept(ServerSocket door) throws IOException {
        door.setSoTimeout(MOST_MILLIS);
        Socket socket = door.accept();
        socket.setSoTimeout(MOST_MILLIS);
        byte[] challenge = new byte[NONCE_BYTES];
        socket.getOutputStream().write(joined(HEAD, challenge));
        InputStream in = socket.getInputStream();
        in.readNBytes(HEAD.length);
        var dialer = new RawMember(in.readNBytes(identity.length));
        byte[] nonce = in.readNBytes(NONCE_BYTES);
        in.readNBytes(PROOF_BYTES);
        byte[] proof = proof('l', challenge, nonce, dialer, this);
        socket.getOutputStream().write(joined(new byte[] {1}, proof));
        return socket;
    }

    private static byte[] proof(
            char role, byte[] challenge, byte[] nonce, RawMember dialer, RawMember listener) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            byte[] key = "gradwire.socket:".getBytes(StandardCharsets.UTF_8); // no token
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((byte) role);
            return mac.doFinal(joined(challenge, nonce, dialer.identity, listener.identity));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
