package org.gradwire.backend.tensorpipe;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The ports at which peers under other media drivers reach a worker: a UDP subscription, and a TCP
 * port for large buffers. Closed until there is such a peer, so that workers of one host open no
 * port at all.
 */
final class NetworkEndpoint implements AutoCloseable {
    private static final int ANY_ROUTE_PORT = 53;
    private static final String ANY_ROUTE = "8.8.8.8";

    private final DriverConnector.Connection connection;
    private final Options options;
    private final String name;
    private final BulkAuthenticator authenticator;
    private final BulkServer.Peers readers;
    private final BooleanSupplier isNeeded;
    private volatile @Nullable NetworkAddress address;
    private @Nullable BulkServer bulkServer;
    private boolean isClosed;

    /**
     * Create one that is closed.
     *
     * @param name of its thread
     * @param authenticator of readers
     * @param readers of large buffers
     * @param isNeeded false when the agent is ending
     */
    NetworkEndpoint(
            DriverConnector.Connection connection,
            Options options,
            String name,
            BulkAuthenticator authenticator,
            BulkServer.Peers readers,
            BooleanSupplier isNeeded) {
        this.connection = connection;
        this.options = options;
        this.name = name;
        this.authenticator = authenticator;
        this.readers = readers;
        this.isNeeded = isNeeded;
    }

    /** {@return where it listens; null while it is closed} */
    @Nullable NetworkAddress address() {
        return address;
    }

    /**
     * Open it, unless it is open. For one thread at a time, while the poller runs.
     *
     * @throws RpcConfigurationException when no UDP socket can be opened
     */
    NetworkAddress open() {
        NetworkAddress before = address;
        if (before != null) {
            return before;
        }
        String endpoint = listen(options.host().isEmpty() ? ownAddress() : options.host());
        var udp = new NetworkAddress(connection.udpStream(), endpoint, 0);
        expect(udp, List.of()); // an earlier worker there expected others
        var opened = new NetworkAddress(udp.udpStream(), endpoint, serveBulk(udp.host()));
        address = opened;
        return opened;
    }

    /**
     * Tell the media driver from which hosts sessions may come, before any of them is connected.
     *
     * @param own this endpoint, which is open
     * @throws RpcConnectionException when the driver's directory takes no file
     */
    void expect(NetworkAddress own, Collection<InetAddress> hosts) {
        Path file = connection.directory().expectedSources(own.udpSocket());
        try {
            ExpectedSources.of(own.udpStream(), options.udpTermLength(), hosts).write(file);
        } catch (IOException e) {
            throw new RpcConnectionException(
                    "the media driver cannot be told of peers over UDP, by %s: %s"
                            .formatted(file, e));
        }
    }

    private String listen(String host) {
        String bracketed = host.contains(":") ? "[" + host + "]" : host;
        Aeron aeron = connection.aeron();
        try {
            long registration = connection.subscribe("aeron:udp?endpoint=" + bracketed + ":0");
            try {
                Subscription udp = await(() -> aeron.getSubscription(registration));
                return await(udp::resolvedEndpoint);
            } catch (AeronException e) {
                aeron.asyncRemoveSubscription(registration);
                throw e;
            }
        } catch (AeronException e) {
            throw new RpcConfigurationException(
                    "no UDP socket can be opened at %s (%s); name an address of this host with %s"
                            .formatted(host, e.getMessage(), Keys.HOST),
                    e);
        }
    }

    /** The poller serves Aeron's client meanwhile. */
    private <T> T await(Supplier<@Nullable T> something) {
        long start = System.nanoTime();
        while (isNeeded.getAsBoolean()
                && System.nanoTime() - start < options.connectTimeoutNanos()) {
            T found = something.get();
            if (found != null) {
                return found;
            }
            Patience.pause(start);
        }
        throw new AeronException(
                isNeeded.getAsBoolean()
                        ? "no answer in " + options.connectTimeoutNanos() / 1_000_000 + " ms"
                        : "the agent is closed");
    }

    private synchronized int serveBulk(String host) {
        if (isClosed || !options.tcp()) {
            return 0;
        }
        bulkServer = BulkServer.open(host, name, options.livenessNanos(), authenticator, readers);
        return bulkServer == null ? 0 : bulkServer.port();
    }

    /** {@return the address of the interface over which the default route goes} */
    private static String ownAddress() {
        try (var socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(ANY_ROUTE, ANY_ROUTE_PORT)); // sends nothing
            InetAddress own = socket.getLocalAddress();
            if (!own.isAnyLocalAddress()) {
                return own.getHostAddress();
            }
        } catch (SocketException | java.io.UncheckedIOException _) {
            // no route: a host by itself
        }
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    /** Close the TCP port; the UDP subscription ends with Aeron's client. */
    @Override
    public synchronized void close() {
        isClosed = true;
        NetworkAddress opened = address;
        if (opened != null) {
            connection.directory().expectedSources(opened.udpSocket()).toFile().delete();
        }
        if (bulkServer != null) {
            bulkServer.close();
        }
    }
}
