package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A driver with peers over UDP sleeps, and what is sent or received wakes who has to know. */
@Timeout(60)
class NetworkWaitingTest {
    private static final long FOREVER_MILLIS = TimeUnit.MINUTES.toMillis(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    @TempDir private Path folder;

    @BeforeEach
    void requireBells() {
        assumeTrue(LibC.isAvailable(), "no bells here");
    }

    @Test
    void aBellEndsTheSleepBesideSockets() {
        try (var bell = Doorbell.create(folder.resolve("bell"), 0);
                var sockets = new DriverSockets();
                var waiting = new NetworkWaiting(bell, sockets)) {
            waiting.start();
            bell.armBesideSockets();
            bell.ring();
            sockets.sleep(FOREVER_MILLIS); // for ever when nobody has heard it
            assertFalse(bell.isArmed());
        }
    }

    @Test
    void whatASocketReceivesEndsTheSleep() throws Exception {
        try (var sockets = new DriverSockets();
                var socket = DatagramChannel.open()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            socket.configureBlocking(false);
            sockets.add(socket);
            socket.send(ByteBuffer.allocate(1), socket.getLocalAddress());
            sockets.sleep(FOREVER_MILLIS);
            socket.receive(ByteBuffer.allocate(1));
        }
    }

    @Test
    void aDriverThatFindsWorkDoesNotSleep() {
        try (var bell = Doorbell.create(folder.resolve("bell"), 0);
                var sockets = new DriverSockets();
                var waiting = new NetworkWaiting(bell, sockets)) {
            awaitArmed(waiting, bell);
            waiting.idle(1); // what it has found after it had said that it would sleep
            assertFalse(bell.isArmed());
        }
    }

    /** What the last look has found may be work in the next turn only. */
    @Test
    void aDriverLooksTwiceBeforeItSleeps() {
        try (var bell = Doorbell.create(folder.resolve("bell"), 0);
                var sockets = new DriverSockets();
                var waiting = new NetworkWaiting(bell, sockets)) {
            awaitArmed(waiting, bell);
            waiting.idle(0);
            assertTrue(bell.isArmed(), "it has slept");
            waiting.idle(0);
            assertFalse(bell.isArmed(), "it has not slept");
        }
    }

    private static void awaitArmed(NetworkWaiting waiting, Doorbell bell) {
        awaitTrue(() -> {
            waiting.idle(0);
            return bell.isArmed();
        });
    }

    /** The timers of both would do that too, but would not count as rings. */
    @Test
    void aCallOverUdpWakesDriverAndWorkersThatSleep() throws Exception {
        Path place = folder.resolve("driver");
        var settings = new HashMap<>(Calls.Way.UDP.settings());
        settings.put("directory", place.toString());
        try (var world = new World(2, settings)) {
            List<Doorbell> bells = bells(place);
            assertTrue(bells.size() == 3, "a driver's and two workers'");
            int[] before = bells.stream().mapToInt(Doorbell::rings).toArray();
            byte[] payload = {1, 2, 3};
            awaitTrue(() -> {
                awaitTrue(() -> bells.stream().allMatch(Doorbell::isArmed));
                var reply = world.node(0).call(1, World.request(payload));
                assertArrayEquals(payload, reply.orTimeout(30, TimeUnit.SECONDS).join().payload());
                boolean all = true;
                for (int i = 0; i < before.length; i++) {
                    all &= bells.get(i).rings() > before[i];
                }
                return all;
            });
        }
    }

    private static List<Doorbell> bells(Path place) throws Exception {
        try (var files = Files.newDirectoryStream(place, "bell-*")) {
            var bells = new java.util.ArrayList<Doorbell>();
            files.forEach(file -> bells.add(java.util.Objects.requireNonNull(Doorbell.find(file))));
            return bells;
        }
    }

    private static void awaitTrue(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "it does not become so");
            Thread.onSpinWait();
        }
    }
}
