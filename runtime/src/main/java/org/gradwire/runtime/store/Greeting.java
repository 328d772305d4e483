package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.X25519;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;

/**
 * The server's side of a greeting, as a non-blocking state machine. It reads no byte after the
 * proof. Confined to the acceptor's thread.
 */
final class Greeting {
    private static final int OPENING_BYTES = Integer.BYTES + 1;
    private static final int DISCARDED_BYTES = 256;
    private static final byte[] NOTHING = {};
    private static final byte[] OTHER_VERSION =
            "this store speaks version %d of its protocol; all workers need the same release of Gradwire"
                    .formatted(StoreFrames.VERSION)
                    .getBytes(StandardCharsets.US_ASCII);

    /** The state of the greeting. */
    enum State {
        OPENING,
        NONCE_AND_KEY,
        PROOF,
        /** The peer knows the token. */
        PROVEN,
        /** The peer sent a wrong proof; further input is discarded until it closes. */
        REFUSED,
        /** The peer has another version; further input is discarded too. */
        OTHER_VERSION,
        ENDED
    }

    private final SocketChannel channel;
    private final InetAddress address;
    private final String source;
    private final long startNanos;
    private final GreetingProofs proofs;
    private final X25519 exchange;
    private ByteBuffer arriving = ByteBuffer.allocate(OPENING_BYTES);
    private Transcript transcript = new Transcript(NOTHING, NOTHING);
    private State state = State.OPENING;

    Greeting(
            SocketChannel channel,
            InetAddress address,
            GreetingProofs proofs,
            X25519 exchange,
            long now) {
        this.channel = channel;
        this.address = address;
        this.source = PendingGreetings.source(address);
        this.proofs = proofs;
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
        return state == State.NONCE_AND_KEY || state == State.PROOF;
    }

    private State next() throws IOException {
        arriving.flip();
        return switch (state) {
            case OPENING -> afterOpening();
            case NONCE_AND_KEY -> afterNonceAndKey();
            case PROOF -> afterProof();
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
            return refuse(State.OTHER_VERSION, opening(OTHER_VERSION.length).put(OTHER_VERSION));
        }
        arriving = ByteBuffer.allocate(Transcript.SIDE_BYTES);
        return State.NONCE_AND_KEY;
    }

    private State afterNonceAndKey() throws IOException {
        byte[] own = Transcript.side(proofs.nonce(), exchange);
        transcript = new Transcript(arriving.array(), own);
        write(
                opening(Transcript.SIDE_BYTES + GreetingProofs.PROOF_BYTES)
                        .put(own)
                        .put(proofs.ofServer(transcript)));
        arriving = ByteBuffer.allocate(GreetingProofs.PROOF_BYTES);
        return State.PROOF;
    }

    private State afterProof() throws IOException {
        return GreetingProofs.areEqual(arriving.array(), proofs.ofClient(transcript))
                ? State.PROVEN
                : refuse(State.REFUSED, ByteBuffer.allocate(1).put((byte) StoreFrames.REFUSED));
    }

    /**
     * {@return the keys of all bytes after the greeting}
     *
     * @throws InvalidKeyException when the peer's public key cannot be used
     */
    SessionKeys keys() throws InvalidKeyException {
        return proofs.sessionKeys(transcript, exchange.secretWith(transcript.clientKey()));
    }

    private static ByteBuffer opening(int more) {
        return ByteBuffer.allocate(OPENING_BYTES + more)
                .putInt(StoreFrames.MAGIC)
                .put((byte) StoreFrames.VERSION);
    }

    /**
     * Refuse the peer, and continue to read: to close with unread bytes would make the kernel drop
     * the reply.
     */
    private State refuse(State refusal, ByteBuffer answer) throws IOException {
        write(answer);
        channel.shutdownOutput();
        arriving = ByteBuffer.allocate(DISCARDED_BYTES);
        return refusal;
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
