package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;

import org.agrona.CloseHelper;
import org.gradwire.backend.tensorpipe.address.Route;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.channel.MemoryEndpoint;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.driver.DirectoryLock;
import org.gradwire.backend.tensorpipe.driver.DriverConnector;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.backend.tensorpipe.driver.DriverKeeper;
import org.gradwire.backend.tensorpipe.driver.DriverWatch;
import org.gradwire.backend.tensorpipe.driver.DroppedFrames;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A worker's client of its media driver: the connection, the watch over the driver's process, and
 * the files that the worker keeps in the driver's directory (its doorbell and its memory endpoint).
 *
 * <p>Thread-safe, except for {@link #onTick} and {@link #close}, which are confined to the poller.
 */
final class DriverClient implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DriverClient.class.getPackageName());
    private static final long WATCH_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long DIRECTORY_LOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TensorPipeOptions options;
    private final DriverConnector.Connection connection;
    private final AtomicReference<@Nullable Throwable> aeronFailure = new AtomicReference<>();
    private final @Nullable Doorbell driverBell;
    private final @Nullable Doorbell pollerBell;
    private final @Nullable MemoryEndpoint memoryEndpoint;
    private final DriverWatch watch;
    private long lastWatchNanos = System.nanoTime();

    /**
     * Connect to the driver, which is started if none runs.
     *
     * @param worker name of the worker
     * @param incarnation of the worker
     * @param images receives the sessions that appear and end, on the thread that calls {@link
     *     #onTick}
     */
    DriverClient(
            TensorPipeOptions options,
            String worker,
            long incarnation,
            DriverConnector.ImageListener images) {
        this.options = options;
        AtomicReference<@Nullable Throwable> failure = aeronFailure;
        connection =
                new DriverConnector(options)
                        .connect(worker, images, thrown -> onAeronError(failure, thrown));
        DriverDirectory directory = connection.directory();
        driverBell = Doorbell.find(directory.driverBell());
        pollerBell =
                LibC.isAvailable()
                        ? Doorbell.create(directory.bell(incarnation), connection.udpStream())
                        : null;
        memoryEndpoint =
                options.singleCopy()
                        ? MemoryEndpoint.open(directory.memoryEndpoint(incarnation))
                        : null;
        watch = new DriverWatch(connection.driver().pid());
    }

    private static void onAeronError(
            AtomicReference<@Nullable Throwable> failure, Throwable thrown) {
        boolean isFatal =
                thrown instanceof io.aeron.exceptions.TimeoutException
                        || thrown instanceof org.agrona.concurrent.AgentTerminationException;
        if (isFatal) {
            failure.compareAndSet(null, thrown);
        } else {
            LOG.log(Level.WARNING, "Aeron reports", thrown);
        }
    }

    DriverConnector.Connection connection() {
        return connection;
    }

    DriverDirectory directory() {
        return connection.directory();
    }

    /** {@return the doorbell that wakes the driver; null when it has none} */
    @Nullable Doorbell driverBell() {
        return driverBell;
    }

    /** {@return the doorbell on which this worker's poller sleeps; null without futexes} */
    @Nullable Doorbell pollerBell() {
        return pollerBell;
    }

    /** {@return the worker's address, for peers to read from the store} */
    WorkerAddress address(long incarnation) {
        return new WorkerAddress(
                incarnation,
                OperatingSystem.current().host(directory().path()),
                directory().path() + "#" + connection.driver().startMillis(),
                ProcessIdentity.self(),
                pollerBell != null,
                !options.forceUdp(),
                connection.ipcStream());
    }

    /**
     * {@return whether the driver segments frames into datagrams, and rings the doorbells of
     * workers for arrivals over UDP}
     */
    boolean servesSockets() {
        return driverBell != null && driverBell.note() == DriverKeeper.SERVES_SOCKETS;
    }

    /** Wake the driver, if it sleeps. */
    void ringDriver() {
        if (driverBell != null) {
            driverBell.ring();
        }
    }

    /**
     * Ask the driver for a publication on a route.
     *
     * @return the number of the request
     */
    long requestPublication(Route route) {
        return connection.aeron().asyncAddExclusivePublication(route.channel(), route.stream());
    }

    /** {@return a requested publication; null while the driver has not created it} */
    @Nullable ExclusivePublication publication(long request) {
        return connection.aeron().getExclusivePublication(request);
    }

    void cancelPublication(long request) {
        connection.aeron().asyncRemovePublication(request);
    }

    /** {@return the number of frames from unexpected sources that the driver has dropped} */
    long droppedFrames() {
        return connection.aeron().isClosed()
                ? 0
                : DroppedFrames.in(connection.aeron().countersReader());
    }

    /** {@return how many sealed datagrams the driver has dropped: forged, or come twice} */
    long refusedDatagrams() {
        return connection.aeron().isClosed()
                ? 0
                : DroppedFrames.datagramsIn(connection.aeron().countersReader());
    }

    /**
     * Serve Aeron's client and the memory endpoint.
     *
     * @return the reason for which the driver is lost; null while it is not
     */
    @Nullable String onTick(long nowNanos) {
        connection.serve();
        if (memoryEndpoint != null) {
            memoryEndpoint.closeConnections();
        }
        Throwable thrown = aeronFailure.get();
        if (thrown != null) {
            return thrown.toString();
        }
        if (nowNanos - lastWatchNanos < WATCH_INTERVAL_NANOS) {
            return null;
        }
        lastWatchNanos = nowNanos;
        return watch.hasEnded()
                ? "its process %d has ended".formatted(connection.driver().pid())
                : null;
    }

    /** Disconnect, delete the worker's files, and delete the directory of a dead driver. */
    @Override
    public void close() {
        CloseHelper.close(thrown -> LOG.log(Level.DEBUG, "closing", thrown), connection.aeron());
        if (pollerBell != null) {
            pollerBell.close();
        }
        if (memoryEndpoint != null) {
            memoryEndpoint.close();
        }
        if (watch.hasEnded()) {
            deleteDirectory();
        }
        watch.close();
    }

    private void deleteDirectory() {
        DriverDirectory directory = directory();
        try (DirectoryLock lock =
                DirectoryLock.acquireExisting(directory.lock(), DIRECTORY_LOCK_NANOS)
                        .orElse(null)) {
            if (lock != null && directory.liveDriver().isEmpty()) {
                directory.delete();
            }
        } catch (RpcException e) {
            LOG.log(Level.DEBUG, "left to another worker: {0}", e.getMessage());
        }
    }
}
