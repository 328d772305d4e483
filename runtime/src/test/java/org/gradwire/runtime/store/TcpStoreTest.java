package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.Store;
import org.gradwire.spi.process.FreePort;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

class TcpStoreTest extends StoreContract {
    private final TestStores factory = new TestStores(_ -> "");
    private final int port = FreePort.choose();

    @Override
    Store open(int rank) {
        return open(rank, "secret", LONG);
    }

    private Store open(int rank, String token, Duration timeout) {
        return factory.open(
                "tcp://127.0.0.1:" + port,
                rank,
                WORLD_SIZE,
                StoreSecurity.withToken(token),
                timeout);
    }

    private Socket connect() throws IOException {
        var socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static SessionKeys handshake(Socket socket) throws IOException {
        return new ClientHandshake(
                        socket,
                        StoreSecurity.withToken("secret"),
                        System.nanoTime() + LONG.toNanos())
                .perform();
    }

    private String refusal(int rank, String token, Duration timeout) {
        return assertThrows(RpcConfigurationException.class, () -> open(rank, token, timeout))
                .getMessage();
    }

    @Test
    void workersMayComeBeforeTheOneWhoServes() throws Exception {
        Future<Store> early = threads.submit(() -> join(1));
        Store first = join(0);
        first.set("key", bytes("value"));
        assertEquals("value", text(early.get().get("key", LONG)));
    }

    @Test
    void rankZeroMayServeOnAllInterfacesWithoutANameOfItsHost() {
        try (Store first =
                        factory.open(
                                "tcp://0.0.0.0:" + port,
                                0,
                                2,
                                StoreSecurity.withToken("secret"),
                                LONG);
                Store second = open(1)) {
            first.set("key", bytes("value"));
            assertEquals("value", text(second.get("key", LONG)));
        }
    }

    @Test
    void rankZeroServesUntilTheOthersHaveClosed() throws Exception {
        Store first = join(0);
        Store second = join(1);
        Store third = join(2);
        Future<?> closing = threads.submit(first::close);
        second.set("key", bytes("value"));
        assertEquals("value", text(third.get("key", LONG)));
        second.close();
        assertEquals(1, third.add("sum", 1));
        assertFalse(closing.isDone());
        third.close();
        closing.get();
        assertThrows(IOException.class, this::connect);
    }

    @Test
    void closedAtOnceItFailsTheWaitsOfTheOthers() throws Exception {
        Store first = open(0);
        Store second = join(1);
        Future<byte[]> waiting = threads.submit(() -> second.get("no such key", LONG));
        second.set("key", bytes("value"));
        first.closeNow();
        var failure =
                assertInstanceOf(
                        RpcConnectionException.class,
                        assertThrows(ExecutionException.class, waiting::get).getCause());
        String text = "lost the store at 127.0.0.1:" + port + ", which rank 0 serves: ";
        assertTrue(failure.getMessage().startsWith(text), failure.toString());
        assertFalse(failure.getMessage().endsWith("null"), failure.toString());
        var later = assertThrows(RpcConnectionException.class, () -> second.add("sum", 1));
        assertTrue(later.getMessage().startsWith(text), later.toString());
        assertThrows(IOException.class, this::connect);
    }

    @Test
    void closingEndsOnesOwnWaits() throws Exception {
        join(0);
        Store second = join(1);
        Future<byte[]> waiting = threads.submit(() -> second.get("no such key", LONG));
        second.set("key", bytes("value"));
        second.close();
        assertInstanceOf(
                RpcConnectionException.class,
                assertThrows(ExecutionException.class, waiting::get).getCause());
    }

    @Test
    void aWrongTokenIsRefused() {
        join(0);
        String text =
                "cannot use the store at 127.0.0.1:"
                        + port
                        + ": the process that answers there did not prove that it knows this worker's token; all workers need the same gradwire.authentication-token";
        assertEquals(text, refusal(1, "wrong", LONG));
        assertEquals(text, refusal(1, "", LONG));
        join(1).set("key", bytes("value")); // the right token is still accepted
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (var other = new ServerSocket()) {
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            String text = refusal(0, "secret", LONG);
            assertTrue(
                    text.startsWith("rank 0 cannot serve the store at 127.0.0.1:" + port + ": "),
                    text);
            assertTrue(
                    text.endsWith(
                            "; end the process that has the port, or set another address in gradwire.rendezvous"),
                    text);
        }
    }

    @Test
    void whereNobodyServesIsNamed() {
        String text = refusal(1, "secret", Duration.ofMillis(100));
        assertTrue(
                text.startsWith(
                        "cannot use the store at 127.0.0.1:" + port + ": no reply within 100 ms ("),
                text);
        assertTrue(
                text.endsWith(
                        "); rank 0 serves it: start that worker, or correct gradwire.rendezvous"),
                text);
    }

    @Test
    void oneWhoAcceptsAndSaysNothingIsGivenUpInTime() throws Exception {
        try (var silent = new ServerSocket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            String text = refusal(1, "secret", Duration.ofMillis(100));
            assertTrue(text.contains("no reply within 100 ms"), text);
        }
    }

    @Test
    void aServerOfAnotherKindIsNamed() throws Exception {
        try (var other = new ServerSocket()) {
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            Future<?> answering =
                    threads.submit(() -> {
                        try (Socket client = other.accept()) {
                            client.getOutputStream()
                                    .write(
                                            bytes(
                                                    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"));
                            client.getInputStream().readAllBytes();
                        }
                        return null;
                    });
            assertEquals(
                    "cannot use the store at 127.0.0.1:"
                            + port
                            + ": the process that answers there is not a Gradwire store",
                    refusal(1, "secret", LONG));
            answering.get();
        }
    }

    @Test
    void rubbishHarmsNothing() throws Exception {
        Store first = join(0);
        var random = new Random(3);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Socket socket = connect();
            sockets.add(socket);
            byte[] rubbish = new byte[random.nextInt(200)];
            random.nextBytes(rubbish);
            try {
                OutputStream out = socket.getOutputStream();
                if (i % 3 == 0) {
                    new DataOutputStream(out).writeInt(StoreFrames.MAGIC);
                }
                if (i % 6 == 0) {
                    out.write(StoreFrames.VERSION);
                }
                out.write(rubbish);
                if (i % 2 == 0) {
                    socket.close();
                }
            } catch (IOException _) {
                socket.close(); // the store has closed it already
            }
        }
        first.set("key", bytes("value"));
        assertEquals("value", text(join(1).get("key", LONG)));
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void rubbishFromAWorkerThatWasAdmittedEndsItsConnectionOnly() throws Exception {
        Store first = join(0);
        first.set("key", bytes("value"));
        var random = new Random(5);
        for (int i = 0; i < 40; i++) {
            try (Socket socket = connect()) {
                SessionKeys keys = handshake(socket);
                OutputStream plain = socket.getOutputStream();
                OutputStream sealed = new SealedOutput(plain, keys.clientToServer());
                (i % 4 == 0 ? plain : sealed).write(rubbishRequest(random, i));
            }
        }
        assertEquals("value", text(join(1).get("key", LONG)));
    }

    private static byte[] rubbishRequest(Random random, int number) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeLong(number);
        out.writeByte(number % 10); // operations 1 to 8, and two that do not exist
        out.writeLong(random.nextLong()); // as a timeout: negative, or longer than time
        out.writeUTF("key" + number);
        out.writeInt(number % 2 == 0 ? random.nextInt() : random.nextInt(100));
        out.write(new byte[random.nextInt(200)]);
        return bytes.toByteArray();
    }

    @Test
    void connectionsThatWereNeverAdmittedDoNotHoldUpTheEnd() throws Exception {
        Store first = open(0);
        try (Socket silent = connect()) {
            Store second = open(1); // accepted after the silent one
            second.close();
            long start = System.nanoTime();
            first.close();
            assertTrue(System.nanoTime() - start < 5_000_000_000L, "waited for a silent peer");
            assertEquals(-1, silent.getInputStream().read());
        }
    }
}
