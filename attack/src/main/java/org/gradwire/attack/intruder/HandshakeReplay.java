package org.gradwire.attack.intruder;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Replays a handshake: greets the store as a worker does, then authenticates with recorded data:
 * the store's own proof, the proof of an earlier connection, the nonces, or one of these with a bit
 * flipped.
 */
final class HandshakeReplay implements Attacker {
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final byte[] MAGIC = {'G', 'W', 'S', 'T'};
    private static final byte VERSION = 2;
    private static final int OPENING_BYTES = MAGIC.length + 1;
    private static final int NONCE_BYTES = 16;
    private static final int PROOF_BYTES = 32;
    private static final int SAID_BYTES = OPENING_BYTES + NONCE_BYTES + PROOF_BYTES;
    private static final int WAYS = 5;

    private byte[] earlierNonce = new byte[NONCE_BYTES];
    private byte[] earlierProof = new byte[PROOF_BYTES];

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter) {
        var store = new InetSocketAddress(target.host(), target.storePort());
        while (!inputCounter.isOver()) {
            inputCounter.sent();
            try (var socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.connect(store, TIMEOUT_MILLIS);
                inputCounter.connected();
                greet(socket, random, inputCounter);
            } catch (IOException _) {
                inputCounter.refused();
            }
        }
    }

    private void greet(Socket socket, RandomGenerator random, InputCounter inputCounter)
            throws IOException {
        byte[] nonce = earlierNonce;
        if (random.nextBoolean()) {
            nonce = new byte[NONCE_BYTES];
            random.nextBytes(nonce);
        }
        socket.getOutputStream()
                .write(
                        ByteBuffer.allocate(OPENING_BYTES + NONCE_BYTES)
                                .put(MAGIC)
                                .put(VERSION)
                                .put(nonce)
                                .array());
        byte[] said = socket.getInputStream().readNBytes(SAID_BYTES);
        if (said.length < SAID_BYTES) {
            throw new EOFException("closed before the store's proof");
        }
        byte[] theirs = Arrays.copyOfRange(said, OPENING_BYTES, OPENING_BYTES + NONCE_BYTES);
        byte[] proof = Arrays.copyOfRange(said, OPENING_BYTES + NONCE_BYTES, SAID_BYTES);
        socket.getOutputStream().write(stolen(theirs, proof, random));
        earlierNonce = random.nextBoolean() ? nonce : theirs;
        earlierProof = proof;
        if (socket.getInputStream().read() == 0) {
            inputCounter.served(); // admitted
        } else {
            inputCounter.refused();
        }
    }

    private byte[] stolen(byte[] theirs, byte[] proof, RandomGenerator random) {
        byte[] stolen =
                switch (random.nextInt(WAYS)) {
                    case 0 -> proof.clone();
                    case 1 -> earlierProof.clone();
                    case 2 -> twice(theirs);
                    case 3 -> twice(earlierNonce);
                    default -> new byte[PROOF_BYTES];
                };
        if (random.nextInt(WAYS) == 0) {
            stolen[random.nextInt(PROOF_BYTES)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        return stolen;
    }

    private static byte[] twice(byte[] nonce) {
        return ByteBuffer.allocate(PROOF_BYTES).put(nonce).put(nonce).array();
    }
}
