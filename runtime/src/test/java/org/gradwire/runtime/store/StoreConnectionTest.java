package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.gradwire.runtime.store.StoreFrames.Request;
import org.gradwire.runtime.store.StoreFrames.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Limits for a worker that was admitted to the store. */
class StoreConnectionTest {
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final byte[] NOTHING = {};
    private static final int MOST_WAITS = 2 * StoreLimits.MAX_WAITS + 10;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final WaitingMap table = new WaitingMap();
    private final SourceLimit waits = new SourceLimit(MOST_WAITS);

    /** The worker's end of a served connection. */
    private final class Client implements AutoCloseable {
        private final SessionKeys keys = TestKeys.random();
        private final SocketChannel channel;
        private final Future<?> serving;
        private final DataInputStream in;
        private final DataOutputStream out;

        Client() throws IOException {
            this("10.0.0.1");
        }

        Client(String source) throws IOException {
            try (ServerSocketChannel listening = ServerSocketChannel.open()) {
                listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                channel = SocketChannel.open(listening.getLocalAddress());
                var connection =
                        new StoreConnection(
                                new StoreAcceptor.Admission(listening.accept(), source, keys, null),
                                table,
                                waits,
                                new SourceLimit(StoreLimits.MAX_LEASES));
                serving = threads.submit(connection::serve);
            }
            InputStream plain = channel.socket().getInputStream();
            assertEquals(StoreFrames.DONE, plain.read());
            in = new DataInputStream(new SealedInput(plain, keys.serverToClient()));
            out =
                    new DataOutputStream(
                            new BufferedOutputStream(
                                    new SealedOutput(
                                            channel.socket().getOutputStream(),
                                            keys.clientToServer())));
        }

        void send(long id, int operation, long number, String key) throws IOException {
            StoreFrames.write(out, new Request(id, operation, number, key, NOTHING));
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void waitsAreBoundedForEachConnection() throws Exception {
        try (var greedy = new Client();
                var modest = new Client()) {
            for (int id = 0; id < StoreLimits.MAX_WAITS; id++) {
                greedy.send(id, StoreFrames.GET, HOUR, "key");
            }
            greedy.send(-1, StoreFrames.GET, HOUR, "key");
            Response refusal = StoreFrames.readResponse(greedy.in);
            assertEquals(-1, refusal.id());
            assertEquals(StoreFrames.FAILED, refusal.status());
            assertEquals(
                    "too many waits for keys of the store at the same time; at most 1024 for a worker, and 32768 for the workers of a host",
                    new String(refusal.value(), UTF_8));
            modest.send(7, StoreFrames.SET, 0, "key");
            assertEquals(StoreFrames.DONE, StoreFrames.readResponse(modest.in).status());
            for (int i = 0; i < StoreLimits.MAX_WAITS; i++) {
                assertEquals(StoreFrames.DONE, StoreFrames.readResponse(greedy.in).status());
            }
        }
    }

    @Test
    void waitsAreBoundedForAllConnectionsOfAHost() throws Exception {
        try (var first = new Client("10.0.0.1");
                var second = new Client("10.0.0.1");
                var elsewhere = new Client("10.0.0.2")) {
            int half = MOST_WAITS / 2;
            for (int id = 0; id < half; id++) {
                (id < StoreLimits.MAX_WAITS ? first : second).send(id, StoreFrames.GET, HOUR, "k");
            }
            awaitHeld("10.0.0.1", half);
            second.send(-1, StoreFrames.GET, HOUR, "k");
            assertEquals(StoreFrames.FAILED, StoreFrames.readResponse(second.in).status());
            elsewhere.send(1, StoreFrames.GET, HOUR, "k");
            elsewhere.send(2, StoreFrames.SET, 0, "k");
            assertEquals(StoreFrames.DONE, StoreFrames.readResponse(elsewhere.in).status());
            assertEquals(StoreFrames.DONE, StoreFrames.readResponse(elsewhere.in).status());
        }
    }

    private void awaitHeld(String source, int count) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (waits.held(source) != count && System.nanoTime() - deadline < 0) {
            Thread.sleep(1);
        }
        assertEquals(count, waits.held(source));
    }

    /** A long wait must not keep its thread when the waiting worker has left. */
    @Test
    void waitsEndWithTheirConnection() throws Exception {
        try (var client = new Client()) {
            for (int id = 0; id < 100; id++) {
                client.send(id, StoreFrames.GET, Long.MAX_VALUE, "key");
            }
            awaitWaiting(true);
            client.channel.shutdownOutput();
            client.serving.get();
        }
        awaitWaiting(false);
    }

    private void awaitWaiting(boolean expected) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (table.isAwaited("key") != expected && System.nanoTime() - deadline < 0) {
            Thread.sleep(1);
        }
        assertEquals(expected, table.isAwaited("key"));
    }

    @Test
    void announcedLengthsOutOfBoundsEndTheConnection() throws Exception {
        for (int[] lengths : new int[][] {{0xffff, 0}, {3073, 0}, {1, -1}, {1, (64 << 10) + 1}}) {
            try (var client = new Client()) {
                client.out.writeLong(0);
                client.out.writeByte(StoreFrames.SET);
                client.out.writeLong(0);
                client.out.writeShort(lengths[0]);
                if (lengths[0] == 1) {
                    client.out.writeByte('k');
                    client.out.writeInt(lengths[1]);
                }
                client.out.flush();
                client.serving.get();
                assertEquals(-1, client.in.read());
            }
        }
    }
}
