package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.gradwire.spi.Store;
import org.gradwire.spi.process.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A store with 500 open connections that never prove the token: silent ones and slow ones. */
class StoreFloodTest {
    private static final int WORKERS = 64;
    private static final int FLOOD = 500;
    private static final int STEPS = 5;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TestStores factory = new TestStores(_ -> "");
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final int port = FreePort.choose();
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void close() {
        over.countDown();
        threads.close();
    }

    private Store open(int rank) {
        return factory.open(
                "tcp://127.0.0.1:" + port, rank, WORKERS, StoreSecurity.withToken("secret"), LONG);
    }

    /** Keep many connections open until the test ends; reopen those that end. */
    private Future<Boolean> flood(CountDownLatch begun) {
        return threads.submit(() -> {
            List<SocketChannel> channels = new ArrayList<>();
            do {
                dropEndedAndSendBytes(channels);
                boolean listening = true;
                while (listening && channels.size() < FLOOD) {
                    listening = connect(channels);
                }
                begun.countDown();
            } while (!over.await(50, TimeUnit.MILLISECONDS));
            for (SocketChannel channel : channels) {
                channel.close();
            }
            return true;
        });
    }

    /** {@return false if the store no longer listens} */
    private boolean connect(List<SocketChannel> channels) throws IOException {
        try {
            SocketChannel channel =
                    SocketChannel.open(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channels.add(channel);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0); // leaves no port in TIME_WAIT
            channel.configureBlocking(false);
            return true;
        } catch (SocketException _) { // refused, or reset if the store has just closed
            return false;
        }
    }

    private static void dropEndedAndSendBytes(List<SocketChannel> channels) throws IOException {
        for (SocketChannel channel : List.copyOf(channels)) {
            if (isEnded(channel)) {
                channel.close();
                channels.remove(channel);
            } else if (channels.indexOf(channel) % 2 == 0) {
                sendByte(channel);
            }
        }
    }

    private static boolean isEnded(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException _) {
            return true;
        }
    }

    private static void sendByte(SocketChannel channel) {
        try {
            channel.write(ByteBuffer.wrap(new byte[] {'G'}));
        } catch (IOException _) {
            // the server has ended it, which the next iteration sees
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void aGroupMeetsAndWorksDuringAFlood() throws Exception {
        Store first = open(0);
        var begun = new CountDownLatch(1);
        Future<Boolean> flood = flood(begun);
        begun.await();
        int platformThreads = Thread.getAllStackTraces().size();
        List<Future<Store>> joining = new ArrayList<>();
        for (int rank = 1; rank < WORKERS; rank++) {
            int mine = rank;
            joining.add(threads.submit(() -> open(mine)));
        }
        List<Store> stores = new ArrayList<>(List.of(first));
        for (Future<Store> each : joining) {
            stores.add(each.get());
        }
        for (int step = 0; step < STEPS; step++) {
            meet(stores, "step/" + step);
        }
        // A client has a thread that reads; the flood adds none.
        int added = Thread.getAllStackTraces().size() - platformThreads;
        assertTrue(added < 2 * WORKERS, added + " platform threads more");
        long most = FLOOD + 2L * WORKERS + PendingHandshakes.MAX + 200;
        awaitFewer(most);
        over.countDown();
        assertTrue(flood.get());
        stores.forEach(Store::closeNow);
    }

    /**
     * Wait until fewer connections are open: connections that are accepted and closed at once may
     * be many briefly.
     */
    private static void awaitFewer(long most) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long open = descriptors();
        while (open >= most && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(100_000);
            open = descriptors();
        }
        assertTrue(open < most, open + " descriptors, at most " + most);
    }

    private void meet(List<Store> stores, String barrier) throws Exception {
        List<Future<String>> waiting = new ArrayList<>();
        for (Store store : stores) {
            waiting.add(
                    threads.submit(() -> {
                        if (store.add(barrier, 1) == WORKERS) {
                            store.set(barrier + "/passed", "yes".getBytes(US_ASCII));
                        }
                        return new String(store.get(barrier + "/passed", LONG), US_ASCII);
                    }));
        }
        for (Future<String> each : waiting) {
            assertEquals("yes", each.get());
        }
    }

    @Test
    void theStoreClosesDuringAFlood() throws Exception {
        Store first = open(0);
        var begun = new CountDownLatch(1);
        Future<Boolean> flood = flood(begun);
        begun.await();
        Store second = open(1);
        second.close();
        Future<?> closing = threads.submit(first::close);
        closing.get(30, TimeUnit.SECONDS);
        over.countDown();
        assertTrue(flood.get());
    }
}
