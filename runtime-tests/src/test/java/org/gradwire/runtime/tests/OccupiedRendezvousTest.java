package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process without the token binds the port of the rendezvous before rank 0 does. */
class OccupiedRendezvousTest {
    private static final int MAGIC_BYTES = 4;
    private static final int OPENING_BYTES =
            MAGIC_BYTES + 1 + 16 + 32 + 1; // magic, version, nonce, key, certificate
    private static final int PROOF_BYTES = 32;
    private static final String NO_PROOF =
            "the process that answers there did not prove that it knows this worker's token";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ServerSocket port;
    private Future<List<byte[]>> conversations;

    @BeforeEach
    void occupy() throws IOException {
        port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        conversations = threads.submit(this::impersonateStore);
    }

    @AfterEach
    void close() throws IOException {
        port.close();
        threads.close();
    }

    /**
     * {@return the bytes that each worker sent to a server that reflects nonces and keys, and
     * guesses}
     */
    private List<byte[]> impersonateStore() {
        List<byte[]> received = new ArrayList<>();
        try {
            while (true) {
                try (Socket worker = port.accept()) {
                    byte[] opening = worker.getInputStream().readNBytes(OPENING_BYTES);
                    worker.getOutputStream()
                            .write(Arrays.copyOf(opening, opening.length + PROOF_BYTES));
                    byte[] rest = worker.getInputStream().readAllBytes();
                    byte[] all = Arrays.copyOf(opening, opening.length + rest.length);
                    System.arraycopy(rest, 0, all, opening.length, rest.length);
                    received.add(all);
                }
            }
        } catch (IOException _) {
            return received; // the test closed the port
        }
    }

    private RpcOptions.Builder worker(int rank) {
        return RpcOptions.builder()
                .rank(rank)
                .backend("inproc")
                .set("gradwire.authentication-token", "sixteen letters!")
                .rendezvous("tcp://127.0.0.1:" + port.getLocalPort());
    }

    private static String refusal(RpcOptions options) {
        return String.valueOf(
                assertThrows(RpcConfigurationException.class, () -> Rpc.init(options).close())
                        .getMessage());
    }

    @Test
    void workersNeitherJoinNorProveTheTokenToTheOccupant() throws Exception {
        String first = refusal(worker(0).worldSize(2).build());
        assertTrue(first.contains("127.0.0.1:" + port.getLocalPort()), first);
        String second = refusal(worker(1).worldSize(2).build());
        assertTrue(second.contains(NO_PROOF), second);
        String dynamic = refusal(worker(0).dynamicGroup().build());
        assertTrue(dynamic.contains(NO_PROOF), dynamic);
        port.close();
        List<byte[]> received = conversations.get();
        assertEquals(2, received.size()); // rank 0 of a static group connects to no other process
        for (byte[] bytes : received) {
            assertEquals(OPENING_BYTES, bytes.length);
            assertArrayEquals(new byte[] {'G', 'W', 'S', 'T'}, Arrays.copyOf(bytes, MAGIC_BYTES));
        }
    }
}
