package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.X25519;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.util.Objects;

/**
 * The server's side of a handshake, as a non-blocking state machine. It reads no byte after the
 * proof and the certificate. Confined to the acceptor's thread.
 */
final class ServerHandshake {
    private static final int OPENING_BYTES = Integer.BYTES + 1;
    private static final int DISCARDED_BYTES = 256;
    private static final byte[] NOTHING = {};
    private static final byte[] OTHER_VERSION =
            "this store speaks version %d of its protocol; all workers need the same release of Gradwire"
                    .formatted(StoreFrames.VERSION)
                    .getBytes(StandardCharsets.US_ASCII);

    /** The state of the handshake. */
    enum State {
        OPENING,
        SIDE,
        PROOF,
        /** The peer knows the token, and sends its certificate next. */
        IDENTITY_LENGTH,
        IDENTITY,
        /** The peer has proved all that is required. */
        PROVEN,
        /** The peer sent a wrong proof; further input is discarded until it closes. */
        REFUSED,
        /** The certificate of the peer is not accepted; further input is discarded too. */
        UNIDENTIFIED,
        /** The peer has another version; further input is discarded too. */
        OTHER_VERSION,
        ENDED
    }

    private final SocketChannel channel;
    private final InetAddress address;
    private final String source;
    private final long startNanos;
    private final StoreSecurity security;
    private final X25519 exchange;
    private ByteBuffer arriving = ByteBuffer.allocate(OPENING_BYTES);
    private Transcript transcript = new Transcript(NOTHING, NOTHING);
    private @Nullable SessionKeys keys; // once the proof is verified
    private @Nullable CertifiedWorker worker; // once the certificate is verified
    private String refusal = "";
    private State state = State.OPENING;

    ServerHandshake(
            SocketChannel channel,
            InetAddress address,
            StoreSecurity security,
            X25519 exchange,
            long now) {
        this.channel = channel;
        this.address = address;
        this.source = PendingHandshakes.source(address);
        this.security = security;
        this.exchange = exchange;
        this.startNanos = now;
    }

    SocketChannel channel() {
        return channel;
    }

    InetAddress address() {
        return address;
    }

    /** {@return the addresses that share one limit} */
    String source() {
        return source;
    }

    long startNanos() {
        return startNanos;
    }

    State state() {
        return state;
    }

    /** {@return the reason of the refusal, for the log} */
    String refusal() {
        return refusal;
    }

    /** {@return the worker that its certificate names; null without certificates} */
    @Nullable CertifiedWorker worker() {
        return worker;
    }

    /** {@return the keys of all bytes after the handshake, when it is proven} */
    SessionKeys keys() {
        return Objects.requireNonNull(keys, "of a handshake that is proven");
    }

    /** Read the bytes that have arrived; {@return the new state} */
    State advance() {
        try {
            State before;
            do {
                before = state;
                if (channel.read(arriving) < 0) {
                    state = State.ENDED;
                } else if (!arriving.hasRemaining()) {
                    state = next();
                }
            } while (state != before && isExpecting());
        } catch (IOException _) {
            state = State.ENDED;
        }
        return state;
    }

    private boolean isExpecting() {
        return switch (state) {
            case SIDE, PROOF, IDENTITY_LENGTH, IDENTITY -> true;
            default -> false;
        };
    }

    private State next() throws IOException {
        arriving.flip();
        return switch (state) {
            case OPENING -> afterOpening();
            case SIDE -> afterSide();
            case PROOF -> afterProof();
            case IDENTITY_LENGTH -> afterIdentityLength();
            case IDENTITY -> afterIdentity();
            default -> {
                arriving.clear();
                yield state;
            }
        };
    }

    private State afterOpening() throws IOException {
        if (arriving.getInt() != StoreFrames.MAGIC) {
            return State.ENDED;
        }
        if (arriving.get() != StoreFrames.VERSION) {
            refusal = "speaks another version of the store's protocol";
            return refuse(State.OTHER_VERSION, opening(OTHER_VERSION.length).put(OTHER_VERSION));
        }
        arriving = ByteBuffer.allocate(Transcript.SIDE_BYTES);
        return State.SIDE;
    }

    private State afterSide() throws IOException {
        HandshakeProofs proofs = security.proofs();
        byte[] own = Transcript.side(proofs.nonce(), exchange, security.hasCertificate());
        transcript = new Transcript(arriving.array(), own);
        write(
                opening(Transcript.SIDE_BYTES + HandshakeProofs.PROOF_BYTES)
                        .put(own)
                        .put(proofs.ofServer(transcript)));
        arriving = ByteBuffer.allocate(HandshakeProofs.PROOF_BYTES);
        return State.PROOF;
    }

    private State afterProof() throws IOException {
        HandshakeProofs proofs = security.proofs();
        if (!HandshakeProofs.areEqual(arriving.array(), proofs.ofClient(transcript))) {
            refusal = "does not know gradwire.authentication-token";
            return refuse(State.REFUSED, StoreFrames.REFUSED);
        }
        try {
            keys = proofs.sessionKeys(transcript, exchange.secretWith(transcript.clientKey()));
        } catch (InvalidKeyException _) {
            return State.ENDED;
        }
        if (transcript.clientHasCertificate() != security.hasCertificate()) {
            refusal =
                    (security.hasCertificate() ? "has no certificate" : "has a certificate")
                            + ", unlike the worker that serves the store";
            return refuse(State.UNIDENTIFIED, StoreFrames.UNIDENTIFIED);
        }
        if (!security.hasCertificate()) {
            return State.PROVEN;
        }
        arriving = ByteBuffer.allocate(SealedOutput.HEADER_BYTES);
        return State.IDENTITY_LENGTH;
    }

    private State afterIdentityLength() throws IOException {
        byte[] header = arriving.array();
        arriving = ByteBuffer.allocate(header.length + SealedInput.length(header)).put(header);
        return State.IDENTITY;
    }

    private State afterIdentity() throws IOException {
        HandshakeIdentity identity = Objects.requireNonNull(security.identity());
        try {
            worker =
                    identity.verifyClient(
                            SealedInput.openOnly(arriving.array(), keys().clientIdentity()),
                            transcript);
            return State.PROVEN;
        } catch (HandshakeRefusedException | RuntimeException e) {
            // Nothing that a peer sends may end the acceptor, also if the JDK fails unexpectedly.
            refusal = "is not accepted by its certificate: " + e.getMessage();
            return refuse(State.UNIDENTIFIED, StoreFrames.UNIDENTIFIED);
        }
    }

    /** {@return the identity of this worker, the server, for a peer with a certificate} */
    byte[] ownIdentity() {
        return Objects.requireNonNull(security.identity()).ofServer(transcript);
    }

    private static ByteBuffer opening(int more) {
        return ByteBuffer.allocate(OPENING_BYTES + more)
                .putInt(StoreFrames.MAGIC)
                .put((byte) StoreFrames.VERSION);
    }

    private State refuse(State next, int status) throws IOException {
        return refuse(next, ByteBuffer.allocate(1).put((byte) status));
    }

    /**
     * Refuse the peer, and continue to read: to close with unread bytes would make the kernel drop
     * the reply.
     */
    private State refuse(State next, ByteBuffer answer) throws IOException {
        write(answer);
        channel.shutdownOutput();
        arriving = ByteBuffer.allocate(DISCARDED_BYTES);
        return next;
    }

    /** Write a reply, which fits into any send buffer; a peer whose buffer is full is dropped. */
    private void write(ByteBuffer answer) throws IOException {
        answer.flip();
        channel.write(answer);
        if (answer.hasRemaining()) {
            throw new IOException("the peer does not read");
        }
    }

    void close() {
        StoreAcceptor.closeQuietly(channel);
    }
}
