package org.gradwire.backend.tensorpipe.driver;

import io.aeron.AeronCounters;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.status.HeartbeatTimestamp;

import org.agrona.concurrent.status.CountersReader;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a media driver while it has clients, then deletes its directory.
 *
 * <p>A client is lost when it closes or its process ends; in another pid namespace, after {@link
 * #CLIENT_TIMEOUT_NANOS} without a heartbeat. The driver ends under the lock of its directory, so
 * that no worker joins a driver that is about to end.
 */
public final class DriverKeeper implements AutoCloseable {
    /**
     * Silence after which the driver declares a client dead, and clients the driver. If many JVMs
     * start on few cores, a running one may be silent for 10 s; the end of a process is noticed
     * earlier.
     */
    static final long CLIENT_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Note on the doorbell of a driver that rings the workers' doorbells for arrivals over UDP and
     * segments their frames into datagrams.
     */
    public static final int SERVES_SOCKETS = 1;

    private static final long UNBLOCK_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(61);

    /**
     * Silence over UDP after which the reader and the writer of a log consider it ended. Workers
     * declare a peer lost by their liveness, which should be shorter.
     */
    private static final long NETWORK_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TIMER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long FIRST_CLIENT_MILLIS = 10_000;
    private static final long NAMELESS_MILLIS = 10_000;
    private static final long LOOK_MILLIS = 200;
    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(1);
    // Each log takes three counters. Aeron's minimum of 8,192 counters suffices for 50 workers.
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
     * Start a driver. The caller holds the directory's lock, or acts for its holder.
     *
     * @param graceMillis time that the driver continues after its last client
     */
    static DriverKeeper start(DriverDirectory directory, long graceMillis) {
        return LibC.isAvailable()
                ? startWithBell(directory, graceMillis)
                : startWithoutBell(directory, graceMillis);
    }

    private static DriverKeeper startWithoutBell(DriverDirectory directory, long graceMillis) {
        var idle = new DriverIdle();
        MediaDriver driver =
                MediaDriver.launch(
                        withSockets(context(directory, idle), DriverNetwork.of(directory, null)));
        return new DriverKeeper(directory, driver, idle, () -> {}, graceMillis);
    }

    private static DriverKeeper startWithBell(DriverDirectory directory, long graceMillis) {
        Doorbell bell = Doorbell.create(directory.driverBell(), SERVES_SOCKETS);
        var sockets = new DriverSockets();
        var waiting = new DriverIdleStrategy(bell, sockets);
        var idle = new DriverIdle(bell, waiting);
        MediaDriver driver =
                MediaDriver.launch(
                        withSockets(
                                context(directory, idle), DriverNetwork.of(directory, sockets)));
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

    private static MediaDriver.Context withSockets(
            MediaDriver.Context context, DriverNetwork network) {
        return context.sendChannelEndpointSupplier((channel, status, all) ->
                        new WakingSendEndpoint(channel, status, all, network))
                .receiveChannelEndpointSupplier((channel, dispatcher, status, all) ->
                        new WakingReceiveEndpoint(channel, dispatcher, status, all, network));
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
                // With a full /dev/shm the creation of a log must fail, rather than its writer
                // crash later.
                .termBufferSparseFile(false)
                .performStorageChecks(true)
                .lowStorageWarningThreshold(0);
    }

    /** {@return the largest socket buffer that the system permits, up to Aeron's limit} */
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

    /** Wait until the driver is no longer needed, then end it and delete its directory. */
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
        try (DirectoryLock lock = lock()) {
            boolean isDeleted = lock == null; // manually: no client can find it
            if (!isDeleted && hasClients()) {
                return false;
            }
            close();
            return true;
        } catch (org.gradwire.rpc.RpcConfigurationException _) {
            return false; // another process holds it; check again later
        }
    }

    /** {@return the lock of the directory; null if the directory does not exist} */
    private @Nullable DirectoryLock lock() {
        return DirectoryLock.acquireExisting(directory.lock(), LOCK_NANOS).orElse(null);
    }

    private boolean hasClients() {
        boolean[] found = {false};
        counters.forEach((id, typeId, _, label) -> {
            boolean isClient = typeId == HeartbeatTimestamp.HEARTBEAT_TYPE_ID;
            found[0] = found[0] || (isClient && isLiving(label, counters.getCounterValue(id)));
        });
        return found[0];
    }

    /**
     * {@return whether a client is alive, as far as known; its label has a name from its first
     * heartbeat on}
     */
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

    /** End the driver when its JVM ends, even if it has clients. */
    void closeAtExit() {
        if (isClosed.get()) {
            return;
        }
        try (DirectoryLock _ = lock()) {
            close();
        } catch (org.gradwire.rpc.RpcConfigurationException _) {
            close(); // the next process that starts a driver there deletes the rest
        }
    }

    /**
     * End the driver, even if it has clients, and delete all files in its directory except the
     * lock.
     */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            stop.countDown();
            try {
                driver.close();
                afterDriver.run();
            } finally {
                directory.delete();
            }
        }
    }
}
