package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.RateLimitedLog;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Serves a table to the workers of a group. {@link StoreAcceptor} admits them; a virtual thread
 * reads each connection. A malformed request ends only its connection.
 */
final class TcpStoreServer implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final Duration FOR_GOOD = Duration.ofDays(365);
    private static final Duration LINGER = Duration.ofSeconds(10);
    private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

    private final WaitingMap table = new WaitingMap();
    private final int maxConnections;
    private final SourceLimit connectionLimit;
    private final SourceLimit waits = new SourceLimit(StoreLimits.MAX_ALL_WAITS);
    private final SourceLimit leases = new SourceLimit(StoreLimits.MAX_LEASES);
    private final RateLimitedLog full = new RateLimitedLog(LOGGER, LOG_INTERVAL);
    private final Set<StoreConnection> connections = new HashSet<>(); // guarded by itself
    private boolean closed; // guarded by the connections
    private final StoreAcceptor acceptor;

    static TcpStoreServer start(String host, int port, StoreSecurity security, int maxConnections) {
        try {
            return new TcpStoreServer(bindAddress(host, port), security, maxConnections);
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "rank 0 cannot serve the store at %s:%d: %s; end the process that has the port, or set another address in gradwire.rendezvous"
                            .formatted(host, port, e.getMessage()),
                    e);
        }
    }

    private TcpStoreServer(InetSocketAddress address, StoreSecurity security, int maxConnections)
            throws IOException {
        this.maxConnections = maxConnections;
        this.connectionLimit = new SourceLimit(maxConnections);
        this.acceptor = StoreAcceptor.start(address, security, this::admit);
    }

    /**
     * {@return the address to bind: loopback for a loopback name, else all interfaces, since the
     * host's own name may resolve to an address that peers cannot reach}
     */
    private static InetSocketAddress bindAddress(String host, int port) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return address.isLoopbackAddress()
                ? new InetSocketAddress(address, port)
                : new InetSocketAddress(port);
    }

    private void admit(StoreAcceptor.Admission admission) {
        var connection = new StoreConnection(admission, table, waits, leases);
        if (enter(connection)) {
            Thread.ofVirtual().name("gradwire-store-connection").start(() -> serve(connection));
        } else {
            connection.refuse();
            full.log(
                    Level.WARNING,
                    () ->
                            "the store refused a worker: the limit of %d connections, or of half as many from %s, is reached"
                                    .formatted(maxConnections, admission.source()));
        }
    }

    private boolean enter(StoreConnection connection) {
        synchronized (connections) {
            return !closed
                    && connectionLimit.enter(connection.source())
                    && connections.add(connection);
        }
    }

    private void serve(StoreConnection connection) {
        try {
            connection.serve();
        } finally {
            connectionLimit.leave(connection.source());
            synchronized (connections) {
                connections.remove(connection);
                connections.notifyAll();
            }
        }
    }

    /** Stop when the last client has closed, or after a timeout. */
    void closeAfterClients() {
        closeAfterClients(LINGER);
    }

    /** Stop when the last client has closed. */
    void closeWhenUnused() {
        closeAfterClients(FOR_GOOD);
    }

    private void closeAfterClients(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        synchronized (connections) {
            long left;
            while (!connections.isEmpty()
                    && (left = (deadline - System.nanoTime()) / 1_000_000) > 0) {
                try {
                    connections.wait(left);
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                    break;
                }
            }
        }
        close();
    }

    @Override
    public void close() {
        acceptor.close();
        List<StoreConnection> open;
        synchronized (connections) {
            closed = true;
            open = List.copyOf(connections);
        }
        open.forEach(StoreConnection::close);
    }
}
