package org.gradwire.backend.tensorpipe;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.exceptions.AeronException;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;
import org.gradwire.rpc.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Connects an agent to the media driver of its directory: to the one that runs there, or to one
 * that it starts.
 */
final class DriverConnector {
    private static final long EMBEDDED_GRACE_MILLIS = 1000;
    private static final int MOST_TURNS = 1_000;

    private final Options options;
    private final DriverDirectory directory;

    DriverConnector(Options options) {
        this.options = options;
        directory = DriverDirectory.of(options);
    }

    /** What an agent is told of sessions, on whatever thread Aeron's client is serviced by. */
    record ImageListener(Consumer<Image> appeared, Consumer<Image> gone) {}

    /**
     * A client of a driver, with a subscription in shared memory.
     *
     * @param ipcStream on which it listens there
     * @param udpStream on which its {@link NetworkEndpoint} listens, once that is open
     */
    record Connection(
            Aeron aeron,
            int ipcStream,
            int udpStream,
            ImageListener images,
            DriverDirectory directory,
            DriverDirectory.LiveDriver driver) {

        /** Ask the driver for a subscription over UDP, and return the number of that request. */
        long subscribe(String channel) {
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
        void serve() {
            DriverConnector.serve(aeron);
        }
    }

    /**
     * Connect.
     *
     * @param worker its name, for the driver's counters
     * @throws RpcConfigurationException when there is no driver and none can be started
     */
    Connection connect(String worker, ImageListener images, ErrorHandler errors) {
        long start = System.nanoTime();
        do {
            Connection connection = join(worker, images, errors);
            if (connection != null) {
                return connection;
            }
            startUnlessStarted();
        } while (System.nanoTime() - start < options.connectTimeoutNanos());
        throw new RpcConfigurationException(
                "media drivers in %s have ended again and again for %d ms before this worker could join one"
                        .formatted(directory.path(), options.connectTimeoutNanos() / 1_000_000));
    }

    /** {@return the connection to the driver that runs; null when none does} */
    private @Nullable Connection join(String worker, ImageListener images, ErrorHandler errors) {
        // A client is counted as soon as it has a subscription; until then, the lock keeps the
        // driver. It is a shared one: of many workers that start at a time, none waits for others.
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
        var connection =
                new Connection(
                        aeron,
                        random.nextInt(1, Integer.MAX_VALUE),
                        random.nextInt(1, Integer.MAX_VALUE),
                        images,
                        directory,
                        driver);
        long registration = connection.subscribe("aeron:ipc", connection.ipcStream());
        await(aeron, () -> aeron.getSubscription(registration));
        return connection;
    }

    /** Serve Aeron's client until something is there. */
    private <T> T await(Aeron aeron, Supplier<@Nullable T> something) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < options.connectTimeoutNanos()) {
            serve(aeron);
            T found = something.get();
            if (found != null) {
                return found;
            }
            Patience.pause(start);
        }
        throw new AeronException(
                "no answer in " + options.connectTimeoutNanos() / 1_000_000 + " ms");
    }

    /**
     * Hear all that the driver has to say, but not without end. A turn of Aeron's client takes one
     * message, and each client hears those for all others too: thousands where a large group meets.
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
        directory.delete(); // a dead driver's
        OperatingSystem.current().prepare(directory);
        if (options.embedded()) {
            startEmbedded();
            await(null);
            return;
        }
        try {
            await(DriverProcess.start(directory));
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
            // the JVM is ending, and the hook running
        }
    }

    private void await(@Nullable Process process) {
        long start = System.nanoTime();
        while (directory.liveDriver().isEmpty()) {
            boolean hasEnded = process != null && !process.isAlive();
            if (hasEnded || System.nanoTime() - start >= options.connectTimeoutNanos()) {
                throw notStarted(process);
            }
            Patience.pause(start);
        }
    }

    private RpcConfigurationException notStarted(@Nullable Process process) {
        String log = DriverProcess.logTail(directory);
        if (process != null) {
            process.destroyForcibly();
        }
        directory.delete();
        return new RpcConfigurationException(
                "the media driver did not come up in %s; its log: %s"
                        .formatted(directory.path(), log));
    }
}
