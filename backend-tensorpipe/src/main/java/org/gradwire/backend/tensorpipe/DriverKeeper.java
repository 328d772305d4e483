package org.gradwire.backend.tensorpipe;

import io.aeron.AeronCounters;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.status.HeartbeatTimestamp;

import org.agrona.concurrent.status.CountersReader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final int MAX_SOCKET_BUFFER = 2 * 1024 * 1024;
    private static final int MIN_SOCKET_BUFFER = 128 * 1024;
    private static final Path MAX_RECEIVE_BUFFER = Path.of("/proc/sys/net/core/rmem_max");
    private static final Path MAX_SEND_BUFFER = Path.of("/proc/sys/net/core/wmem_max");

    private final DriverDirectory directory;
    private final MediaDriver driver;
    private final CountersReader counters;
    private final DriverIdle idle;
    private final long graceMillis;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final CountDownLatch stop = new CountDownLatch(1);

    private DriverKeeper(
            DriverDirectory directory, MediaDriver driver, DriverIdle idle, long graceMillis) {
        this.directory = directory;
        this.driver = driver;
        this.idle = idle;
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
        Doorbell bell = LibC.isAvailable() ? Doorbell.create(directory.driverBell()) : null;
        var idle = new DriverIdle(bell);
        MediaDriver driver = MediaDriver.launch(context(directory, idle));
        return new DriverKeeper(directory, driver, idle, graceMillis);
    }

    private static MediaDriver.Context context(DriverDirectory directory, DriverIdle idle) {
        int receiveBuffer = socketBuffer(MAX_RECEIVE_BUFFER);
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
                .socketSndbufLength(socketBuffer(MAX_SEND_BUFFER))
                .initialWindowLength(receiveBuffer / 2)
                // A full /dev/shm shall fail the making of a log, not kill who writes to it later.
                .termBufferSparseFile(false)
                .performStorageChecks(true)
                .lowStorageWarningThreshold(0);
    }

    private static int socketBuffer(Path limit) {
        try {
            long most = Long.parseLong(Files.readString(limit).strip());
            return (int) Math.max(MIN_SOCKET_BUFFER, Math.min(MAX_SOCKET_BUFFER, most));
        } catch (IOException | NumberFormatException _) {
            return MIN_SOCKET_BUFFER;
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

    /** End the driver, whoever uses it, and delete its directory. */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            stop.countDown();
            driver.close();
            directory.delete();
        }
    }
}
