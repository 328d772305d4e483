package org.gradwire.runtime.store;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * The server's side of one greeting, without blocking and without a thread: it takes what has
 * arrived. It reads no byte beyond the proof. Confined to the acceptor's thread.
 */
final class Greeting {
    private static final int OPENING_BYTES = Integer.BYTES + 1;
    private static final int DISCARDED_BYTES = 256;
    private static final byte[] OTHER_VERSION =
            "this store speaks version %d of its protocol; all workers need the same release of Gradwire"
                    .formatted(StoreFrames.VERSION)
                    .getBytes(StandardCharsets.US_ASCII);

    /** How far it is. */
    enum State {
        OPENING,
        NONCE,
        PROOF,
        /** The peer knows the token. */
        PROVEN,
        /** The peer sent a wrong proof; what it still sends is discarded until it closes. */
        REFUSED,
        /** The peer is of another version; likewise. */
        OTHER_VERSION,
        ENDED
    }

    private final SocketChannel channel;
    private final InetAddress address;
    private final String source;
    private final long startNanos;
    private final GreetingProofs proofs;
    private ByteBuffer arriving = ByteBuffer.allocate(OPENING_BYTES);
    private byte[] expected = {}; // the client's proof
    private State state = State.OPENING;

    Greeting(SocketChannel channel, InetAddress address, GreetingProofs proofs, long now) {
        this.channel = channel;
        this.address = address;
        this.source = PendingGreetings.source(address);
        this.proofs = proofs;
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

    /** Take what has arrived, and return how far the greeting is now. */
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
        return state == State.NONCE || state == State.PROOF;
    }

    private State next() throws IOException {
        arriving.flip();
        return switch (state) {
            case OPENING -> afterOpening();
            case NONCE -> afterNonce();
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
        arriving = ByteBuffer.allocate(GreetingProofs.NONCE_BYTES);
        return State.NONCE;
    }

    private State afterNonce() throws IOException {
        byte[] theirs = arriving.array();
        byte[] own = proofs.nonce();
        expected = proofs.ofClient(theirs, own);
        write(
                opening(GreetingProofs.NONCE_BYTES + GreetingProofs.PROOF_BYTES)
                        .put(own)
                        .put(proofs.ofServer(theirs, own)));
        arriving = ByteBuffer.allocate(GreetingProofs.PROOF_BYTES);
        return State.PROOF;
    }

    private State afterProof() throws IOException {
        return GreetingProofs.areEqual(arriving.array(), expected)
                ? State.PROVEN
                : refuse(State.REFUSED, ByteBuffer.allocate(1).put((byte) StoreFrames.REFUSED));
    }

    private static ByteBuffer opening(int more) {
        return ByteBuffer.allocate(OPENING_BYTES + more)
                .putInt(StoreFrames.MAGIC)
                .put((byte) StoreFrames.VERSION);
    }

    /** Closing with unread bytes would make the kernel drop the answer, so they are awaited. */
    private State refuse(State refusal, ByteBuffer answer) throws IOException {
        write(answer);
        channel.shutdownOutput();
        arriving = ByteBuffer.allocate(DISCARDED_BYTES);
        return refusal;
    }

    /** An answer is smaller than any send buffer, so a peer whose buffer is full is not served. */
    private void write(ByteBuffer answer) throws IOException {
        answer.flip();
        channel.write(answer);
        if (answer.hasRemaining()) {
            throw new IOException("the peer reads nothing");
        }
    }

    void close() {
        StoreAcceptor.closeQuietly(channel);
    }
}
