package org.gradwire.backend.tensorpipe.driver;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.exceptions.AeronException;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.os.Backoff;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.rpc.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Connects an agent to the media driver of its directory; starts the driver if none runs. */
public final class DriverConnector {
    private static final long EMBEDDED_GRACE_MILLIS = 1000;
    private static final int MOST_TURNS = 1_000;

    private final TensorPipeOptions options;
    private final DriverDirectory directory;

    public DriverConnector(TensorPipeOptions options) {
        this.options = options;
        directory = DriverDirectory.of(options);
    }

    /** Notified of new and ended sessions, on the thread that serves Aeron's client. */
    public record ImageListener(Consumer<Image> appeared, Consumer<Image> gone) {}

    /**
     * The connection of a client with a subscription in shared memory.
     *
     * @param ipcStream on which it listens there
     * @param udpStream on which its {@code NetworkEndpoint} listens, once that is open; negative
     *     when it accepts only sealed datagrams
     */
    public record Connection(
            Aeron aeron,
            int ipcStream,
            int udpStream,
            ImageListener images,
            DriverDirectory directory,
            DriverDirectory.LiveDriver driver) {

        /** Request a subscription over UDP, and return the number of the request. */
        public long subscribe(String channel) {
            return subscribe(channel, udpStream);
        }

        private long subscribe(String channel, int stream) {
            long registration =
                    aeron.asyncAddSubscription(
                            channel,
                            stream,
                            image -> images.appeared.accept(image),
                            image -> images.gone.accept(image));
            Doorbell bell = Doorbell.find(directory.driverBell());
            if (bell != null) {
                bell.ring();
            }
            return registration;
        }

        /** Serve Aeron's client. */
        public void serve() {
            DriverConnector.serve(aeron);
        }
    }

    /**
     * Connect.
     *
     * @param worker name of the worker, for the driver's counters
     * @throws RpcConfigurationException if no driver runs and none can be started
     */
    public Connection connect(String worker, ImageListener images, ErrorHandler errors) {
        long start = System.nanoTime();
        do {
            Connection connection = join(worker, images, errors);
            if (connection != null) {
                return connection;
            }
            startUnlessStarted();
        } while (System.nanoTime() - start < options.connectTimeoutNanos());
        throw new RpcConfigurationException(
                "media drivers in %s have repeatedly ended for %d ms before this worker could join one"
                        .formatted(directory.path(), options.connectTimeoutNanos() / 1_000_000));
    }

    /** {@return the connection to the running driver; null if none runs} */
    private @Nullable Connection join(String worker, ImageListener images, ErrorHandler errors) {
        // A driver counts a client from its subscription on; until then the lock keeps the driver
        // alive. The lock is shared, so that workers that start concurrently do not wait for each
        // other.
        try (DirectoryLock _ =
                DirectoryLock.acquireShared(directory.lock(), options.connectTimeoutNanos())) {
            DriverDirectory.LiveDriver driver = directory.liveDriver().orElse(null);
            return driver == null ? null : connect(driver, worker, images, errors);
        }
    }

    private void startUnlessStarted() {
        try (DirectoryLock _ =
                DirectoryLock.acquire(directory.lock(), options.connectTimeoutNanos())) {
            if (directory.liveDriver().isEmpty()) {
                start();
            }
        }
    }

    private Connection connect(
            DriverDirectory.LiveDriver driver,
            String worker,
            ImageListener images,
            ErrorHandler errors) {
        Aeron aeron = null;
        try {
            aeron =
                    Aeron.connect(
                            new Aeron.Context()
                                    .aeronDirectoryName(directory.aeron().toString())
                                    .clientName(ClientName.of(worker))
                                    .driverTimeoutMs(
                                            TimeUnit.NANOSECONDS.toMillis(
                                                    DriverKeeper.CLIENT_TIMEOUT_NANOS))
                                    .useConductorAgentInvoker(true)
                                    .errorHandler(errors));
            return subscribe(aeron, driver, images);
        } catch (AeronException e) {
            if (aeron != null) {
                aeron.close();
            }
            throw new RpcConfigurationException(
                    "the media driver in %s does not serve this worker: %s"
                            .formatted(directory.path(), e.getMessage()),
                    e);
        }
    }

    private Connection subscribe(
            Aeron aeron, DriverDirectory.LiveDriver driver, ImageListener images) {
        var random = ThreadLocalRandom.current();
        int udpStream = random.nextInt(1, Integer.MAX_VALUE);
        var connection =
                new Connection(
                        aeron,
                        random.nextInt(1, Integer.MAX_VALUE),
                        options.isSealed() ? -udpStream : udpStream,
                        images,
                        directory,
                        driver);
        long registration = connection.subscribe("aeron:ipc", connection.ipcStream());
        await(aeron, () -> aeron.getSubscription(registration));
        return connection;
    }

    /** Serve Aeron's client until a value is available. */
    private <T> T await(Aeron aeron, Supplier<@Nullable T> something) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < options.connectTimeoutNanos()) {
            serve(aeron);
            T found = something.get();
            if (found != null) {
                return found;
            }
            Backoff.pause(start);
        }
        throw new AeronException(
                "no reply in " + options.connectTimeoutNanos() / 1_000_000 + " ms");
    }

    /**
     * Process the driver's messages, up to a bound. One iteration of Aeron's client processes one
     * message, and each client receives the messages for all others too: thousands while a large
     * group connects.
     */
    private static void serve(Aeron aeron) {
        AgentInvoker client = aeron.conductorAgentInvoker();
        int left = MOST_TURNS;
        while (left > 0 && client.invoke() > 0) {
            left--;
        }
    }

    private void start() {
        DriverDirectory.deleteAbandoned();
        directory.delete(); // left by a dead driver
        OperatingSystem.current().prepare(directory.path());
        if (options.embedded()) {
            startEmbedded();
            await(null);
            return;
        }
        try {
            await(DriverProcess.start(directory, options.driverFlags()));
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "the process of the media driver cannot be started: " + e.getMessage(), e);
        }
    }

    private void startEmbedded() {
        DriverKeeper keeper = DriverKeeper.start(directory, EMBEDDED_GRACE_MILLIS);
        Thread hook = new Thread(keeper::closeAtExit, "gradwire-driver-end");
        Runtime.getRuntime().addShutdownHook(hook);
        Thread.ofPlatform()
                .daemon()
                .name("gradwire-driver-keeper")
                .start(() -> {
                    keeper.run();
                    removeHook(hook);
                });
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // the JVM is ending, and the hook is running
        }
    }

    private void await(@Nullable Process process) {
        long start = System.nanoTime();
        while (directory.liveDriver().isEmpty()) {
            boolean hasEnded = process != null && !process.isAlive();
            if (hasEnded || System.nanoTime() - start >= options.connectTimeoutNanos()) {
                throw notStarted(process);
            }
            Backoff.pause(start);
        }
    }

    private RpcConfigurationException notStarted(@Nullable Process process) {
        String log = DriverProcess.logTail(directory);
        if (process != null) {
            process.destroyForcibly();
        }
        directory.delete();
        return new RpcConfigurationException(
                "the media driver did not start in %s; its log: %s"
                        .formatted(directory.path(), log));
    }
}
