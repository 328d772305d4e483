package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.X25519;

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
 * The client's side of a greeting. It sends its proof only after the server has proved that it
 * knows the token, and ends at a deadline, regardless of the pace of arriving bytes.
 */
final class ClientGreeting {
    private static final int OPENING_BYTES = Integer.BYTES + 1;

    private final Socket socket;
    private final GreetingProofs proofs;
    private final long deadline;

    /**
     * Prepare a greeting.
     *
     * @param deadline in the time of {@link System#nanoTime}
     */
    ClientGreeting(Socket socket, GreetingProofs proofs, long deadline) {
        this.socket = socket;
        this.proofs = proofs;
        this.deadline = deadline;
    }

    /**
     * Perform the greeting.
     *
     * @return the keys of all bytes that follow
     * @throws GreetingRefusedException when one side does not accept the other
     */
    SessionKeys perform() throws IOException {
        OutputStream out = socket.getOutputStream();
        var exchange = X25519.random();
        byte[] own = Transcript.side(proofs.nonce(), exchange);
        out.write(
                ByteBuffer.allocate(OPENING_BYTES + own.length)
                        .putInt(StoreFrames.MAGIC)
                        .put((byte) StoreFrames.VERSION)
                        .put(own)
                        .array());
        checkOpening(ByteBuffer.wrap(read(OPENING_BYTES)));
        var transcript = new Transcript(own, read(Transcript.SIDE_BYTES));
        byte[] proof = read(GreetingProofs.PROOF_BYTES);
        if (!GreetingProofs.areEqual(proof, proofs.ofServer(transcript))) {
            throw new GreetingRefusedException(
                    "the process that answers there did not prove that it knows this worker's token; all workers need the same gradwire.authentication-token");
        }
        out.write(proofs.ofClient(transcript));
        checkAnswer(read(1)[0]);
        return keys(exchange, transcript);
    }

    private SessionKeys keys(X25519 exchange, Transcript transcript) throws IOException {
        try {
            return proofs.sessionKeys(transcript, exchange.secretWith(transcript.serverKey()));
        } catch (InvalidKeyException e) {
            throw new GreetingRefusedException(
                    "the store sent a public key that cannot be used: " + e.getMessage());
        }
    }

    private static void checkOpening(ByteBuffer opening) throws GreetingRefusedException {
        if (opening.getInt() != StoreFrames.MAGIC) {
            throw new GreetingRefusedException(
                    "the process that answers there is not a Gradwire store");
        }
        int version = opening.get();
        if (version != StoreFrames.VERSION) {
            throw new GreetingRefusedException(
                    "the store speaks version %d of its protocol, this worker version %d; all workers need the same release of Gradwire"
                            .formatted(version, StoreFrames.VERSION));
        }
    }

    private static void checkAnswer(int answer) throws GreetingRefusedException {
        switch (answer) {
            case StoreFrames.DONE -> {}
            case StoreFrames.REFUSED ->
                    throw new GreetingRefusedException(
                            "it refused this worker; all workers need the same gradwire.authentication-token");
            case StoreFrames.FULL ->
                    throw new GreetingRefusedException(
                            "it has as many connections as its group may have; end workers that are left over, or name another gradwire.rendezvous");
            default ->
                    throw new GreetingRefusedException(
                            "the store sent the unknown reply %d to a greeting".formatted(answer));
        }
    }

    private byte[] read(int count) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] bytes = new byte[count];
        int read = 0;
        while (read < count) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("the greeting took too long");
            }
            socket.setSoTimeout((int) left);
            int more = in.read(bytes, read, count - read);
            if (more < 0) {
                throw new EOFException("the connection was closed during the greeting");
            }
            read += more;
        }
        return bytes;
    }
}
