package org.gradwire.backend.tensorpipe;

import io.aeron.AeronCounters;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.status.HeartbeatTimestamp;

import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a media driver for as long as it has clients, then deletes its directory.
 *
 * <p>A client that closes is gone at once, and so is one whose process has ended; of another pid
 * namespace, when Aeron has not heard of it for {@link #CLIENT_TIMEOUT_NANOS}. The driver ends
 * under the lock of its directory, so that no worker joins one that is about to end.
 */
final class DriverKeeper implements AutoCloseable {
    /**
     * After this, a client that does not say anything is dead for the driver, and a driver for its
     * clients. Where many JVMs start on few cores, one that lives may well be silent for 10 s; one
     * that has ended is seen by its process.
     */
    static final long CLIENT_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Note on the bell of a driver that rings the bells of workers for what comes over UDP, and
     * that cuts what they send into datagrams.
     */
    static final int SERVES_SOCKETS = 1;

    private static final long UNBLOCK_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(61);

    /**
     * After this without a word over UDP a log has ended for its reader, and is read no more for
     * its writer. Workers give a peer up by their liveness, which should be shorter.
     */
    private static final long NETWORK_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TIMER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long FIRST_CLIENT_MILLIS = 10_000;
    private static final long NAMELESS_MILLIS = 10_000;
    private static final long LOOK_MILLIS = 200;
    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(1);
    // Each log takes three counters. The least that Aeron permits is 8,192 of them: 50 workers.
    private static final int FEW_COUNTERS_BYTES = 1024 * 1024;
    private static final int MANY_COUNTERS_BYTES = 4 * FEW_COUNTERS_BYTES; // and 16 MiB for labels
    private static final long LARGE_PLACE = 1L << 30;
    static final int MAX_SOCKET_BUFFER = 2 * 1024 * 1024;
    private static final int MIN_SOCKET_BUFFER = 128 * 1024;

    private final DriverDirectory directory;
    private final MediaDriver driver;
    private final CountersReader counters;
    private final DriverIdle idle;
    private final Runnable afterDriver;
    private final long graceMillis;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final CountDownLatch stop = new CountDownLatch(1);

    private DriverKeeper(
            DriverDirectory directory,
            MediaDriver driver,
            DriverIdle idle,
            Runnable afterDriver,
            long graceMillis) {
        this.directory = directory;
        this.driver = driver;
        this.idle = idle;
        this.afterDriver = afterDriver;
        this.graceMillis = graceMillis;
        counters =
                new CountersReader(
                        driver.context().countersMetaDataBuffer(),
                        driver.context().countersValuesBuffer());
    }

    /**
     * Start a driver. Its caller holds the directory's lock, or acts for who does.
     *
     * @param graceMillis how long the driver stays when the last client has gone
     */
    static DriverKeeper start(DriverDirectory directory, long graceMillis) {
        return LibC.isAvailable()
                ? startWithBell(directory, graceMillis)
                : startWithoutBell(directory, graceMillis);
    }

    private static DriverKeeper startWithoutBell(DriverDirectory directory, long graceMillis) {
        var idle = new DriverIdle();
        MediaDriver driver =
                MediaDriver.launch(withFilteredSockets(context(directory, idle), directory, null));
        return new DriverKeeper(directory, driver, idle, () -> {}, graceMillis);
    }

    private static DriverKeeper startWithBell(DriverDirectory directory, long graceMillis) {
        Doorbell bell = Doorbell.create(directory.driverBell(), SERVES_SOCKETS);
        var sockets = new DriverSockets();
        var waiting = new NetworkWaiting(bell, sockets);
        var idle = new DriverIdle(bell, waiting);
        MediaDriver driver =
                MediaDriver.launch(
                        withWatchedSockets(context(directory, idle), directory, sockets));
        waiting.start();
        return new DriverKeeper(
                directory,
                driver,
                idle,
                () -> {
                    waiting.close();
                    sockets.close();
                },
                graceMillis);
    }

    private static MediaDriver.Context withWatchedSockets(
            MediaDriver.Context context, DriverDirectory directory, DriverSockets sockets) {
        return withFilteredSockets(context, directory, sockets)
                .sendChannelEndpointSupplier(
                        (channel, status, all) -> new WatchedSender(channel, status, all, sockets));
    }

    private static MediaDriver.Context withFilteredSockets(
            MediaDriver.Context context,
            DriverDirectory directory,
            @Nullable DriverSockets sockets) {
        var dropped = new DroppedFrames();
        return context.receiveChannelEndpointSupplier((channel, dispatcher, status, all) ->
                new RingingReceiver(
                        channel,
                        dispatcher,
                        status,
                        all,
                        directory,
                        sockets,
                        dropped.counter(all)));
    }

    private static MediaDriver.Context context(DriverDirectory directory, DriverIdle idle) {
        int receiveBuffer = socketBuffer(StandardSocketOptions.SO_RCVBUF);
        return new MediaDriver.Context()
                .aeronDirectoryName(directory.aeron().toString())
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle)
                .sharedThreadFactory(DriverKeeper::daemon)
                .asyncExecutorEnabled(false)
                .clientLivenessTimeoutNs(CLIENT_TIMEOUT_NANOS)
                .publicationUnblockTimeoutNs(UNBLOCK_TIMEOUT_NANOS)
                .publicationLingerTimeoutNs(LINGER_NANOS)
                .imageLivenessTimeoutNs(NETWORK_TIMEOUT_NANOS)
                .publicationConnectionTimeoutNs(NETWORK_TIMEOUT_NANOS)
                .timerIntervalNs(TIMER_NANOS)
                .counterValuesBufferLength(
                        SharedMemory.total(directory.path()) < LARGE_PLACE
                                ? FEW_COUNTERS_BYTES
                                : MANY_COUNTERS_BYTES)
                .socketRcvbufLength(receiveBuffer)
                .socketSndbufLength(socketBuffer(StandardSocketOptions.SO_SNDBUF))
                .initialWindowLength(receiveBuffer / 2)
                // A full /dev/shm shall fail the making of a log, not kill who writes to it later.
                .termBufferSparseFile(false)
                .performStorageChecks(true)
                .lowStorageWarningThreshold(0);
    }

    /**
     * {@return the largest buffer that the system gives a socket, within limits; Aeron takes no
     * larger one}
     */
    static int socketBuffer(SocketOption<Integer> which) {
        try (DatagramChannel socket = DatagramChannel.open()) {
            socket.setOption(which, MAX_SOCKET_BUFFER);
            return Math.clamp(socket.getOption(which), MIN_SOCKET_BUFFER, MAX_SOCKET_BUFFER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread daemon(Runnable task) {
        return Thread.ofPlatform().daemon().name("gradwire-driver").unstarted(task);
    }

    /** Wait until the driver is needed no more, then end it and delete its directory. */
    void run() {
        try {
            long idleSince = System.nanoTime();
            long patience = TimeUnit.MILLISECONDS.toNanos(FIRST_CLIENT_MILLIS);
            while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                idle.hasNetwork(
                        count(AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID) > 0
                                || count(AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID) > 0);
                if (hasClients()) {
                    idleSince = System.nanoTime();
                    patience = TimeUnit.MILLISECONDS.toNanos(graceMillis);
                } else if (System.nanoTime() - idleSince > patience && endIfIdle()) {
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    private boolean endIfIdle() {
        if (Files.notExists(directory.path())) { // deleted by hand: no client can find it any more
            close();
            return true;
        }
        try (DirectoryLock _ = DirectoryLock.acquire(directory.lock(), LOCK_NANOS)) {
            if (hasClients()) {
                return false;
            }
            close();
            return true;
        } catch (org.gradwire.rpc.RpcConfigurationException _) {
            return false; // someone is at it; look again later
        }
    }

    private boolean hasClients() {
        boolean[] found = {false};
        counters.forEach((id, typeId, _, label) -> {
            boolean isClient = typeId == HeartbeatTimestamp.HEARTBEAT_TYPE_ID;
            found[0] = found[0] || (isClient && isLiving(label, counters.getCounterValue(id)));
        });
        return found[0];
    }

    /** {@return whether a client lives, as far as is known; it gets its name with a heartbeat} */
    private static boolean isLiving(String label, long heartbeatMillis) {
        return ClientName.isIn(label)
                ? !ClientName.hasEnded(label)
                : System.currentTimeMillis() - heartbeatMillis < NAMELESS_MILLIS;
    }

    private int count(int wantedTypeId) {
        int[] count = {0};
        counters.forEach((_, typeId, _, _) -> {
            if (typeId == wantedTypeId) {
                count[0]++;
            }
        });
        return count[0];
    }

    /** End the driver, whoever uses it, as its JVM ends. */
    void closeAtExit() {
        if (isClosed.get()) {
            return;
        }
        try (DirectoryLock _ = DirectoryLock.acquire(directory.lock(), LOCK_NANOS)) {
            close();
        } catch (org.gradwire.rpc.RpcConfigurationException _) {
            close(); // the next process that starts a driver there deletes the rest
        }
    }

    /** End the driver, whoever uses it, and delete all in its directory but the lock. */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            stop.countDown();
            driver.close();
            afterDriver.run();
            directory.delete();
        }
    }
}
