package org.gradwire.backend.tensorpipe.driver;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;

import org.gradwire.backend.tensorpipe.MapSettings;
import org.gradwire.backend.tensorpipe.address.ExpectedSources;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.config.Encryption;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.backend.tensorpipe.seal.RekeyLimits;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.AeadAlgorithm;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A media driver in this JVM, as one worker uses it: the writer of a log or its reader. */
final class SealedSide implements AutoCloseable {
    private static final int TERM = 1024 * 1024;

    private final TensorPipeOptions options;
    private final DriverConnector.Connection connection;

    SealedSide(Path directory) {
        options =
                TensorPipeOptions.read(
                        MapSettings.with(
                                Map.of(
                                        "driver",
                                        "embedded",
                                        "directory",
                                        directory.toString(),
                                        Settings.AUTHENTICATION_TOKEN,
                                        "some token, of which only the presence counts")),
                        "worker0");
        var images = new DriverConnector.ImageListener(_ -> {}, _ -> {});
        connection = new DriverConnector(options).connect("side", images, thrown -> {});
    }

    static PairSecret secret(int of, boolean isLower) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) of;
        return new PairSecret(AeadAlgorithm.AES_256_GCM, isLower, bytes);
    }

    int stream() {
        return connection.udpStream();
    }

    /** Hand the secret of a pair to the driver. */
    void handOver(PairSecret secret, InetSocketAddress own, long rekeyBytes) throws Exception {
        new PairHandover(own, secret, new RekeyLimits(rekeyBytes))
                .give(connection.directory().path());
    }

    /** Listen, and expect the writer. */
    Subscription listen() throws Exception {
        long request =
                connection.subscribe(
                        "aeron:udp?endpoint=127.0.0.1:0|%s=true"
                                .formatted(WakingReceiveEndpoint.SEALED));
        Subscription subscription = await(() -> connection.aeron().getSubscription(request));
        InetSocketAddress own = address(await(subscription::resolvedEndpoint));
        ExpectedSources.of(stream(), TERM, List.of(InetAddress.getLoopbackAddress()))
                .write(connection.directory().expectedSources(own));
        return subscription;
    }

    static InetSocketAddress address(String endpoint) {
        return new NetworkAddress(-1, endpoint, 0, Encryption.NETWORK, null).udpSocket();
    }

    /** {@return a log to a reader's stream} */
    ExclusivePublication write(int port, int stream, PairSecret secret) {
        String channel =
                "aeron:udp?endpoint=127.0.0.1:%d|interface=127.0.0.1|term-length=%d|mtu=%d|%s=%d|session-id=%d"
                        .formatted(
                                port,
                                TERM,
                                options.udpMtu(),
                                WakingSendEndpoint.DATAGRAM,
                                options.datagramBytes(),
                                secret.session(true));
        long request = connection.aeron().asyncAddExclusivePublication(channel, stream);
        return await(() -> connection.aeron().getExclusivePublication(request));
    }

    /** Serve Aeron's client until there is a value. */
    <T> T await(Supplier<@Nullable T> something) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        T found = something.get();
        while (found == null) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("nothing in 30 s");
            }
            connection.serve();
            LockSupport.parkNanos(100_000);
            found = something.get();
        }
        return found;
    }

    void serve() {
        connection.serve();
    }

    /** {@return how many sealed datagrams the driver has dropped} */
    long refused() {
        return DroppedFrames.datagramsIn(connection.aeron().countersReader());
    }

    @Override
    public void close() {
        connection.aeron().close();
    }
}
