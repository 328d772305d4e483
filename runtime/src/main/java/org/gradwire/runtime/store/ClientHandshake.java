package org.gradwire.runtime.store;

import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.X25519;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.util.concurrent.TimeUnit;

/**
 * The client's side of a handshake. It sends its proof, and its certificate if it has one, only
 * after the server has proved that it knows the token, and ends at a deadline, regardless of the
 * pace of arriving bytes.
 */
final class ClientHandshake {
    private static final int OPENING_BYTES = Integer.BYTES + 1;

    private final Socket socket;
    private final StoreSecurity security;
    private final long deadline;
    private @Nullable CertifiedWorker server;

    /**
     * Prepare a handshake.
     *
     * @param deadline in the time of {@link System#nanoTime}
     */
    ClientHandshake(Socket socket, StoreSecurity security, long deadline) {
        this.socket = socket;
        this.security = security;
        this.deadline = deadline;
    }

    /**
     * Perform the handshake.
     *
     * @return the keys of all bytes that follow
     * @throws HandshakeRefusedException when one side does not accept the other
     */
    SessionKeys perform() throws IOException {
        OutputStream out = socket.getOutputStream();
        var exchange = X25519.random();
        HandshakeProofs proofs = security.proofs();
        byte[] own = Transcript.side(proofs.nonce(), exchange, security.hasCertificate());
        out.write(
                ByteBuffer.allocate(OPENING_BYTES + own.length)
                        .putInt(StoreFrames.MAGIC)
                        .put((byte) StoreFrames.VERSION)
                        .put(own)
                        .array());
        checkOpening(ByteBuffer.wrap(read(OPENING_BYTES)));
        var transcript = new Transcript(own, read(Transcript.SIDE_BYTES));
        byte[] proof = read(HandshakeProofs.PROOF_BYTES);
        if (!HandshakeProofs.areEqual(proof, proofs.ofServer(transcript))) {
            throw new HandshakeRefusedException(
                    "the process that answers there did not prove that it knows this worker's token; all workers need the same gradwire.authentication-token");
        }
        requireSameSecurity(transcript);
        SessionKeys keys = keys(exchange, transcript);
        out.write(proofs.ofClient(transcript));
        HandshakeIdentity identity = security.identity();
        if (identity != null) {
            new SealedOutput(out, keys.clientIdentity()).write(identity.ofClient(transcript));
        }
        checkAnswer(read(1)[0]);
        if (identity != null) {
            verifyServer(identity, keys, transcript);
        }
        return keys;
    }

    private void requireSameSecurity(Transcript transcript) throws HandshakeRefusedException {
        if (transcript.serverHasCertificate() != security.hasCertificate()) {
            throw new HandshakeRefusedException(
                    security.hasCertificate()
                            ? "the worker that serves it has no certificate, but this worker has one; set %s on all workers or on none"
                                    .formatted(Settings.CERTIFICATE)
                            : "the worker that serves it has a certificate, but this worker has none; set %s on all workers or on none"
                                    .formatted(Settings.CERTIFICATE));
        }
    }

    private void verifyServer(HandshakeIdentity identity, SessionKeys keys, Transcript transcript)
            throws IOException {
        byte[] header = read(SealedOutput.HEADER_BYTES);
        byte[] sealed = read(SealedInput.length(header));
        byte[] record =
                ByteBuffer.allocate(header.length + sealed.length).put(header).put(sealed).array();
        try {
            server =
                    identity.verifyServer(
                            SealedInput.openOnly(record, keys.serverIdentity()), transcript);
        } catch (HandshakeRefusedException e) {
            throw new HandshakeRefusedException(
                    "this worker does not accept the one that serves it: " + e.getMessage());
        }
    }

    /**
     * {@return the worker that serves the store, after the handshake; null without certificates}
     */
    @Nullable CertifiedWorker server() {
        return server;
    }

    private SessionKeys keys(X25519 exchange, Transcript transcript) throws IOException {
        try {
            return security.proofs()
                    .sessionKeys(transcript, exchange.secretWith(transcript.serverKey()));
        } catch (InvalidKeyException e) {
            throw new HandshakeRefusedException(
                    "the store sent a public key that cannot be used: " + e.getMessage());
        }
    }

    private static void checkOpening(ByteBuffer opening) throws HandshakeRefusedException {
        if (opening.getInt() != StoreFrames.MAGIC) {
            throw new HandshakeRefusedException(
                    "the process that answers there is not a Gradwire store");
        }
        int version = opening.get();
        if (version != StoreFrames.VERSION) {
            throw new HandshakeRefusedException(
                    "the store speaks version %d of its protocol, this worker version %d; all workers need the same release of Gradwire"
                            .formatted(version, StoreFrames.VERSION));
        }
    }

    private static void checkAnswer(int answer) throws HandshakeRefusedException {
        switch (answer) {
            case StoreFrames.DONE -> {}
            case StoreFrames.REFUSED ->
                    throw new HandshakeRefusedException(
                            "it refused this worker; all workers need the same gradwire.authentication-token");
            case StoreFrames.UNIDENTIFIED ->
                    throw new HandshakeRefusedException(
                            "it refused this worker's certificate; the log of the worker that serves it has the reason");
            case StoreFrames.FULL ->
                    throw new HandshakeRefusedException(
                            "it has as many connections as its group may have; end workers that are left over, or name another gradwire.rendezvous");
            default ->
                    throw new HandshakeRefusedException(
                            "the store sent the unknown reply %d to a handshake".formatted(answer));
        }
    }

    private byte[] read(int count) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] bytes = new byte[count];
        int read = 0;
        while (read < count) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("the handshake took too long");
            }
            socket.setSoTimeout((int) left);
            int more = in.read(bytes, read, count - read);
            if (more < 0) {
                throw new EOFException("the connection was closed during the handshake");
            }
            read += more;
        }
        return bytes;
    }
}
