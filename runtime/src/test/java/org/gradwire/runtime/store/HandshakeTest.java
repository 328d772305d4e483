package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.crypto.X25519;
import org.gradwire.spi.process.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** The handshake of the TCP store, byte by byte. */
class HandshakeTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final HandshakeProofs PROOFS = new HandshakeProofs("secret");
    private static final String TOKEN_HINT =
            "the process that answers there did not prove that it knows this worker's token; all workers need the same gradwire.authentication-token";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final int port = FreePort.choose();
    private TcpStoreServer server = start("secret");

    private TcpStoreServer start(String token) {
        return TcpStoreServer.start("127.0.0.1", port, StoreSecurity.withToken(token), 2);
    }

    @AfterEach
    void close() {
        server.close();
        threads.close();
    }

    /** A connection, and the bytes of both sides. */
    private static final class Conversation implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;
        private final X25519 exchange = X25519.random();
        private final byte[] own = Transcript.side(PROOFS.nonce(), exchange, false);
        private Transcript transcript = new Transcript(own, own);

        Conversation(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout((int) LONG.toMillis());
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
        }

        void open(int version, byte[] side) throws IOException {
            out.writeInt(StoreFrames.MAGIC);
            out.writeByte(version);
            out.write(side);
        }

        /** {@return the server's proof} */
        byte[] readServer() throws IOException {
            assertEquals(StoreFrames.MAGIC, in.readInt());
            assertEquals(StoreFrames.VERSION, in.readByte());
            transcript = new Transcript(own, in.readNBytes(Transcript.SIDE_BYTES));
            return in.readNBytes(HandshakeProofs.PROOF_BYTES);
        }

        int answer(byte[] proof) throws IOException {
            out.write(proof);
            return in.read();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Conversation begin() throws IOException {
        var conversation = new Conversation(port);
        conversation.open(StoreFrames.VERSION, conversation.own);
        return conversation;
    }

    @Test
    void bothSidesProveThatTheyKnowTheToken() throws Exception {
        try (Conversation client = begin()) {
            byte[] proof = client.readServer();
            assertArrayEquals(PROOFS.ofServer(client.transcript), proof);
            assertEquals(StoreFrames.DONE, client.answer(PROOFS.ofClient(client.transcript)));
        }
    }

    @Test
    void anotherProofIsRefused() throws Exception {
        for (int i = 0; i < 6; i++) {
            try (Conversation client = begin()) {
                byte[] serversOwn = client.readServer();
                byte[] right = PROOFS.ofClient(client.transcript);
                byte[] oneBitOff = right.clone();
                oneBitOff[31] ^= 1;
                byte[] wrong =
                        switch (i) {
                            case 0 -> serversOwn; // reflected
                            case 1 -> oneBitOff;
                            case 2 -> PROOFS.ofClient(swapped(client.transcript));
                            case 3 -> PROOFS.ofClient(withOtherKey(client.transcript));
                            case 4 -> PROOFS.ofClient(withCertificate(client.transcript));
                            default -> new HandshakeProofs("Secret").ofClient(client.transcript);
                        };
                assertEquals(StoreFrames.REFUSED, client.answer(wrong), "proof " + i);
                assertEquals(-1, client.in.read());
            }
        }
    }

    private static Transcript swapped(Transcript transcript) {
        return new Transcript(transcript.server(), transcript.client());
    }

    /** The transcript after a relay has replaced the client's public key. */
    private static Transcript withOtherKey(Transcript transcript) {
        byte[] side = transcript.client().clone();
        side[Transcript.SIDE_BYTES - 2] ^= 1;
        return new Transcript(side, transcript.server());
    }

    /** The transcript after a relay has changed whether the client has a certificate. */
    private static Transcript withCertificate(Transcript transcript) {
        byte[] side = transcript.client().clone();
        side[Transcript.SIDE_BYTES - 1] ^= 1;
        return new Transcript(side, transcript.server());
    }

    @Test
    void aPublicKeyThatCannotBeUsedEndsItsConnectionOnly() throws Exception {
        byte[] noKey = PROOFS.nonce();
        try (var client = new Conversation(port)) {
            byte[] side = new byte[Transcript.SIDE_BYTES];
            System.arraycopy(noKey, 0, side, 0, noKey.length);
            client.open(StoreFrames.VERSION, side);
            client.readServer();
            var transcript = new Transcript(side, client.transcript.server());
            assertEquals(-1, client.answer(PROOFS.ofClient(transcript)));
        }
        connect("secret").close();
    }

    @Test
    void aRecordedHandshakeIsRefusedOnAnotherConnection() throws Exception {
        byte[] side;
        byte[] proof;
        try (Conversation client = begin()) {
            client.readServer();
            side = client.own;
            proof = PROOFS.ofClient(client.transcript);
            assertEquals(StoreFrames.DONE, client.answer(proof));
        }
        try (var replay = new Conversation(port)) {
            replay.open(StoreFrames.VERSION, side);
            replay.readServer();
            assertEquals(StoreFrames.REFUSED, replay.answer(proof));
        }
    }

    @Test
    void aClientOfAnotherVersionIsToldTheVersion() throws Exception {
        for (int version : new int[] {0, 1, 2, 3, 4, 255}) {
            try (var client = new Conversation(port)) {
                client.open(version, client.own);
                assertEquals(StoreFrames.MAGIC, client.in.readInt());
                assertEquals(StoreFrames.VERSION, client.in.readByte());
                assertEquals(
                        "this store speaks version 5 of its protocol; all workers need the same release of Gradwire",
                        new String(client.in.readAllBytes(), US_ASCII));
            }
        }
    }

    /** Slow bytes do not prolong a connection: the deadline applies to the whole handshake. */
    @Test
    void slowBytesDoNotProlongAHandshake() throws Exception {
        try (Conversation client = begin()) {
            client.readServer();
            long start = System.nanoTime();
            Future<Boolean> ended = threads.submit(() -> isEnded(client.in));
            for (int sent = 0; sent < HandshakeProofs.PROOF_BYTES - 1 && !ended.isDone(); sent++) {
                sendByte(client.out);
                Thread.sleep(100);
            }
            assertTrue(ended.get());
            Duration time = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(time.compareTo(Duration.ofSeconds(10)) < 0, time.toString());
        }
    }

    private static void sendByte(DataOutputStream out) {
        try {
            out.write(0);
        } catch (IOException _) {
            // the server has ended the connection, which the reader sees
        }
    }

    private static boolean isEnded(DataInputStream in) {
        try {
            return in.read() < 0;
        } catch (IOException _) {
            return true; // a byte arrived after the end
        }
    }

    @Test
    void connectionsAboveTheLimitAreToldSo() throws Exception {
        try (Conversation first = begin();
                Conversation second = begin()) {
            for (Conversation client : new Conversation[] {first, second}) {
                client.readServer();
                assertEquals(StoreFrames.DONE, client.answer(PROOFS.ofClient(client.transcript)));
            }
            String text =
                    assertThrows(RpcConfigurationException.class, () -> connect("secret"))
                            .getMessage();
            assertTrue(text.contains("it has as many connections as its group may have"), text);
            first.socket.close();
            awaitPlace().close();
        }
    }

    private TcpStore awaitPlace() {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (true) {
            try {
                return connect("secret");
            } catch (RpcConfigurationException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(100_000); // the server has not seen the end yet
            }
        }
    }

    private TcpStore connect(String token) {
        return TcpStore.open(
                "127.0.0.1", port, TcpStore.Serving.NO, 2, StoreSecurity.withToken(token), LONG);
    }

    private String refusal(String token) {
        return assertThrows(RpcConfigurationException.class, () -> connect(token)).getMessage();
    }

    /** Serve one connection at the store's port, like a process that has occupied it. */
    private Future<Integer> impostor(Callable<byte[]> answer) throws IOException {
        server.close();
        var listening = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        return threads.submit(() -> {
            try (listening;
                    Socket client = listening.accept()) {
                client.getInputStream().readNBytes(5 + Transcript.SIDE_BYTES);
                client.getOutputStream().write(answer.call());
                return client.getInputStream().readAllBytes().length;
            }
        });
    }

    private static byte[] concat(byte[]... parts) throws IOException {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part);
        }
        return out.toByteArray();
    }

    @Test
    void aServerWithoutTheTokenGetsNothingFromTheClient() throws Exception {
        byte[] opening = {'G', 'W', 'S', 'T', StoreFrames.VERSION};
        byte[] side = Transcript.side(PROOFS.nonce(), X25519.random(), false);
        byte[] proof = new HandshakeProofs("").ofServer(new Transcript(side, side));
        Future<Integer> received = impostor(() -> concat(opening, side, proof));
        assertEquals(
                "cannot use the store at 127.0.0.1:" + port + ": " + TOKEN_HINT, refusal("secret"));
        assertEquals(0, received.get());
    }

    @Test
    void aServerOfAnotherGroupOrWithoutATokenIsRefused() {
        assertTrue(refusal("other").endsWith(TOKEN_HINT));
        assertTrue(refusal("").endsWith(TOKEN_HINT));
        server.close();
        server = start("");
        assertTrue(refusal("secret").endsWith(TOKEN_HINT));
        connect("").close();
    }

    @Test
    void aServerOfAnotherVersionIsNamed() throws Exception {
        Future<Integer> received =
                impostor(() -> concat("GWST".getBytes(US_ASCII), new byte[] {9}));
        assertEquals(
                "cannot use the store at 127.0.0.1:"
                        + port
                        + ": the store speaks version 9 of its protocol, this worker version 5; all workers need the same release of Gradwire",
                refusal("secret"));
        assertEquals(0, received.get());
    }

    /**
     * A server sends each byte in time, but never the last: the client's deadline applies to the
     * whole handshake too.
     */
    @Test
    void aSlowServerIsGivenUp() throws Exception {
        server.close();
        Future<?> slow;
        try (var listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            slow = threads.submit(() -> sendSlowly(listening));
            String text =
                    assertThrows(
                                    RpcConfigurationException.class,
                                    () ->
                                            TcpStore.open(
                                                    "127.0.0.1",
                                                    port,
                                                    TcpStore.Serving.NO,
                                                    2,
                                                    StoreSecurity.withToken("secret"),
                                                    Duration.ofMillis(300)))
                            .getMessage();
            assertTrue(text.contains("no reply within 300 ms"), text);
        }
        slow.get();
    }

    private static boolean sendSlowly(ServerSocket listening) throws InterruptedException {
        byte[] opening = {'G', 'W', 'S', 'T', StoreFrames.VERSION};
        while (!listening.isClosed()) {
            try (Socket client = listening.accept()) {
                client.getOutputStream().write(opening);
                while (true) {
                    client.getOutputStream().write(0);
                    Thread.sleep(50);
                }
            } catch (IOException _) {
                // the client has closed, or the test has ended
            }
        }
        return true;
    }
}
