package org.gradwire.backend.tensorpipe;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;

import org.gradwire.backend.tensorpipe.address.ExpectedSources;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.channel.BulkAuthenticator;
import org.gradwire.backend.tensorpipe.channel.BulkServer;
import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.driver.DriverConnector;
import org.gradwire.backend.tensorpipe.driver.WakingReceiveEndpoint;
import org.gradwire.backend.tensorpipe.os.Backoff;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The network ports of a worker for peers with which it shares no memory: a UDP subscription, and a
 * TCP port for large buffers. Closed until such a peer exists, so that workers of one host open no
 * port.
 */
final class NetworkEndpoint implements AutoCloseable {
    private static final int ANY_ROUTE_PORT = 53;
    private static final String ANY_ROUTE = "8.8.8.8";

    private final DriverConnector.Connection connection;
    private final TensorPipeOptions options;
    private final String name;
    private final BulkAuthenticator authenticator;
    private final Peers peers;
    private final BooleanSupplier isNeeded;
    private final PairSealing sealing;
    private volatile @Nullable NetworkAddress address;
    private @Nullable BulkServer bulkServer;
    private boolean isClosed;

    /**
     * Create a closed endpoint.
     *
     * @param name of its thread
     * @param authenticator of readers
     * @param isNeeded false while the agent ends
     */
    NetworkEndpoint(
            DriverConnector.Connection connection,
            TensorPipeOptions options,
            String name,
            BulkAuthenticator authenticator,
            Peers peers,
            PairSealing sealing,
            BooleanSupplier isNeeded) {
        this.connection = connection;
        this.options = options;
        this.name = name;
        this.authenticator = authenticator;
        this.peers = peers;
        this.sealing = sealing;
        this.isNeeded = isNeeded;
    }

    /** {@return its address; null while it is closed} */
    @Nullable NetworkAddress address() {
        return address;
    }

    /**
     * Open it, unless it is open, and return its address. For one thread at a time, while the
     * poller runs.
     *
     * @throws RpcConfigurationException when no UDP socket can be opened
     */
    NetworkAddress open() {
        NetworkAddress before = address;
        if (before != null) {
            return before;
        }
        String endpoint = listen(options.host().isEmpty() ? ownAddress() : options.host());
        NetworkAddress udp = address(endpoint, 0);
        expectHosts(udp, List.of()); // an earlier worker there expected others
        var opened = sealing.offer(address(endpoint, serveBulk(udp.host())));
        address = opened;
        return opened;
    }

    private NetworkAddress address(String endpoint, int tcpPort) {
        return new NetworkAddress(
                connection.udpStream(), endpoint, tcpPort, options.encryption(), null);
    }

    /**
     * Offer the endpoint again, if the worker has another certificate since. As {@link #open}.
     *
     * @return the new address; null when there is none
     */
    @Nullable NetworkAddress renew() {
        NetworkAddress before = address;
        if (before == null || !sealing.mustOfferAgain()) {
            return null;
        }
        NetworkAddress renewed = sealing.offer(before);
        address = renewed;
        return renewed;
    }

    /**
     * Make the media driver accept UDP sessions from the hosts of all peers, and of a new peer
     * before it is connected.
     *
     * @param own this endpoint, which is open
     * @throws RpcConnectionException if the file in the driver's directory cannot be written
     */
    void expect(NetworkAddress own, InetAddress newcomer) {
        List<InetAddress> hosts = new ArrayList<>(List.of(newcomer));
        peers.all().stream()
                .filter(peer -> !peer.isLost() && !peer.route().isIpc())
                .forEach(peer -> hosts.add(peer.route().host()));
        expectHosts(own, hosts);
    }

    /**
     * Agree with a peer on keys, as {@link PairSealing#agree}.
     *
     * @param at endpoint of the peer; this one is open
     */
    @Nullable PairSecret agree(WorkerInfo member, WorkerAddress of, NetworkAddress at) {
        return sealing.agree(member, of, open(), at);
    }

    private void expectHosts(NetworkAddress own, Collection<InetAddress> hosts) {
        Path file = connection.directory().expectedSources(own.udpSocket());
        try {
            ExpectedSources.of(own.udpStream(), options.udpTermLength(), hosts).write(file);
        } catch (IOException e) {
            throw new RpcConnectionException(
                    "the list of expected peers over UDP cannot be written to %s: %s"
                            .formatted(file, e));
        }
    }

    private String listen(String host) {
        String bracketed = host.contains(":") ? "[" + host + "]" : host;
        Aeron aeron = connection.aeron();
        try {
            long registration = connection.subscribe(channel(bracketed));
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
                            .formatted(host, e.getMessage(), SettingKeys.HOST),
                    e);
        }
    }

    private String channel(String bracketedHost) {
        return "aeron:udp?endpoint=%s:0|%s=%s"
                .formatted(bracketedHost, WakingReceiveEndpoint.SEALED, options.isSealed());
    }

    /** Wait for a value, while the poller serves Aeron's client. */
    private <T> T await(Supplier<@Nullable T> something) {
        long start = System.nanoTime();
        while (isNeeded.getAsBoolean()
                && System.nanoTime() - start < options.connectTimeoutNanos()) {
            T found = something.get();
            if (found != null) {
                return found;
            }
            Backoff.pause(start);
        }
        throw new AeronException(
                isNeeded.getAsBoolean()
                        ? "no reply in " + options.connectTimeoutNanos() / 1_000_000 + " ms"
                        : "the agent is closed");
    }

    private synchronized int serveBulk(String host) {
        if (isClosed || !options.tcp()) {
            return 0;
        }
        bulkServer = BulkServer.open(host, name, options.livenessNanos(), authenticator, peers);
        return bulkServer == null ? 0 : bulkServer.port();
    }

    /** {@return the address of the interface of the default route} */
    private static String ownAddress() {
        try (var socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(ANY_ROUTE, ANY_ROUTE_PORT)); // sends nothing
            InetAddress own = socket.getLocalAddress();
            if (!own.isAnyLocalAddress()) {
                return own.getHostAddress();
            }
        } catch (SocketException | java.io.UncheckedIOException _) {
            // no route: a host without a network
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
