package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.process.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A host between a worker and the store that records the bytes, and may change one. */
class StoreRelayTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String KEY = "tensorpipe/address/1";
    private static final String VALUE =
            "host=192.0.2.7 endpoint=47182 incarnation=0123456789abcdef";

    /** Bytes that each side sends during the handshake. */
    private static final int FROM_CLIENT = 5 + Transcript.SIDE_BYTES + HandshakeProofs.PROOF_BYTES;

    private static final int FROM_SERVER = FROM_CLIENT + 1;
    private static final int NEVER = Integer.MAX_VALUE;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        threads.close();
    }

    /** A relay for one connection. */
    private final class Relay implements AutoCloseable {
        private final ServerSocket listening =
                new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final ByteArrayOutputStream seen = new ByteArrayOutputStream(); // guarded by this

        /**
         * Start the relay.
         *
         * @param toServer index of the byte to change of those to the server; {@link #NEVER}: none
         */
        Relay(int serverPort, int toServer, int toClient) throws IOException {
            var _ =
                    threads.submit(() -> {
                        try (Socket client = listening.accept();
                                var server =
                                        new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
                            var back = threads.submit(() -> copy(server, client, toClient));
                            copy(client, server, toServer);
                            return back.get();
                        }
                    });
        }

        private boolean copy(Socket from, Socket to, int changed) {
            try (to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                int single;
                for (int at = 0; (single = in.read()) >= 0; at++) {
                    synchronized (this) {
                        seen.write(single);
                    }
                    out.write(at == changed ? single ^ 1 : single);
                }
            } catch (IOException _) {
                // an end has closed the connection
            }
            return true;
        }

        synchronized String seen() {
            return seen.toString(ISO_8859_1);
        }

        TcpStore connect() {
            return TcpStore.open(
                    "127.0.0.1",
                    listening.getLocalPort(),
                    TcpStore.Serving.NO,
                    2,
                    StoreSecurity.withToken("secret"),
                    LONG);
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    @Test
    void itReadsNeitherKeysNorValues() throws Exception {
        int port = FreePort.choose();
        try (var server =
                        TcpStoreServer.start(
                                "127.0.0.1", port, StoreSecurity.withToken("secret"), 2);
                var relay = new Relay(port, NEVER, NEVER)) {
            TcpStore store = relay.connect();
            store.set(KEY, VALUE.getBytes(UTF_8));
            assertArrayEquals(VALUE.getBytes(UTF_8), store.get(KEY, LONG));
            assertEquals(5, store.add("sum", 5));
            store.close();
            String seen = relay.seen();
            assertTrue(seen.contains("GWST"), "the relay records");
            for (String word : new String[] {"tensorpipe", "address", "192.0.2.7", "sum"}) {
                assertFalse(seen.contains(word), word);
            }
            server.closeAfterClients();
        }
    }

    @Test
    void aByteThatItChangesEndsTheConnection() throws Exception {
        for (int offset : new int[] {0, 4, 11, 40}) {
            assertChangeIsNoticed(FROM_CLIENT + offset, NEVER);
            assertChangeIsNoticed(NEVER, FROM_SERVER + offset);
        }
    }

    private void assertChangeIsNoticed(int toServer, int toClient) throws Exception {
        int port = FreePort.choose();
        try (var server =
                        TcpStoreServer.start(
                                "127.0.0.1", port, StoreSecurity.withToken("secret"), 2);
                var relay = new Relay(port, toServer, toClient)) {
            TcpStore store = relay.connect();
            var failure =
                    assertThrows(
                            RpcConnectionException.class,
                            () -> {
                                store.set(KEY, VALUE.getBytes(UTF_8));
                                store.get(KEY, LONG);
                            });
            assertTrue(
                    String.valueOf(failure.getMessage()).startsWith("lost the store"),
                    failure::toString);
            store.close();
            server.closeAfterClients();
        }
    }
}
