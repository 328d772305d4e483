package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gradwire.backend.tensorpipe.Calls;
import org.gradwire.backend.tensorpipe.World;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.LibC;
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

/** A driver with peers over UDP sleeps, and wakes for sent and received frames. */
@Timeout(60)
class DriverIdleStrategyTest {
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
                var waiting = new DriverIdleStrategy(bell, sockets)) {
            waiting.start();
            bell.armBesideSockets();
            bell.ring();
            sockets.sleep(FOREVER_MILLIS); // never ends if the ring is missed
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
                var waiting = new DriverIdleStrategy(bell, sockets)) {
            awaitArmed(waiting, bell);
            waiting.idle(1); // work found after the doorbell was armed
            assertFalse(bell.isArmed());
        }
    }

    /** A first look may find work that is only done in the next iteration. */
    @Test
    void aDriverLooksTwiceBeforeItSleeps() {
        try (var bell = Doorbell.create(folder.resolve("bell"), 0);
                var sockets = new DriverSockets();
                var waiting = new DriverIdleStrategy(bell, sockets)) {
            awaitArmed(waiting, bell);
            waiting.idle(0);
            assertTrue(bell.isArmed(), "it has slept");
            waiting.idle(0);
            assertFalse(bell.isArmed(), "it has not slept");
        }
    }

    private static void awaitArmed(DriverIdleStrategy waiting, Doorbell bell) {
        awaitTrue(() -> {
            waiting.idle(0);
            return bell.isArmed();
        });
    }

    /** Their timers would wake them too, but not count as rings. */
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
