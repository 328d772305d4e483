package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.store.StoreFrames.Expected;
import org.gradwire.runtime.store.StoreFrames.Response;
import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A store that rank 0 serves over TCP. Every worker, rank 0 too, is a client with one connection,
 * and opens another one after a certificate was renewed.
 */
final class TcpStore implements Store {
    private static final Duration ANSWER_TIME = Duration.ofSeconds(30);
    private static final long LONGEST_MILLIS = Duration.ofDays(365).toMillis();
    private static final long RENEWABLE_READ_MILLIS = 2_000; // so that waits notice a certificate
    private static final byte[] NOTHING = {};

    private final @Nullable TcpStoreServer server;
    private final StoreClients clients;
    private final long longestReadMillis;
    private final KeptLeases leases = new KeptLeases();

    /** The role of a worker as the server of the store. */
    enum Serving {
        NO,
        YES,
        IF_NOBODY_DOES
    }

    /**
     * Open a store.
     *
     * @param maxConnections the limit of connections if this worker serves the store
     */
    static TcpStore open(
            String host,
            int port,
            Serving serving,
            int maxConnections,
            StoreSecurity security,
            Duration timeout) {
        TcpStoreServer server = serve(host, port, serving, maxConnections, security);
        try {
            return new TcpStore(
                    server,
                    new StoreClients(host, port, security, timeout),
                    security.hasCertificate() ? RENEWABLE_READ_MILLIS : LONGEST_MILLIS);
        } catch (IOException | RuntimeException e) {
            if (server != null) {
                server.close();
            }
            throw new RpcConfigurationException(
                    "cannot use the store at %s:%d: %s".formatted(host, port, e.getMessage()), e);
        }
    }

    private static @Nullable TcpStoreServer serve(
            String host, int port, Serving serving, int maxConnections, StoreSecurity security) {
        if (serving == Serving.NO) {
            return null;
        }
        try {
            return TcpStoreServer.start(host, port, security, maxConnections);
        } catch (RpcConfigurationException e) {
            if (serving == Serving.IF_NOBODY_DOES && e.getCause() instanceof BindException) {
                return null;
            }
            throw e;
        }
    }

    private TcpStore(
            @Nullable TcpStoreServer server, StoreClients clients, long longestReadMillis) {
        this.server = server;
        this.clients = clients;
        this.longestReadMillis = longestReadMillis;
    }

    @Override
    public void set(String key, byte[] value) {
        StoreLimits.check(key, value);
        var _ = ask(StoreFrames.SET, 0, key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        StoreLimits.check(key);
        Response response = read(StoreFrames.GET, key, NOTHING, timeout);
        if (response == null) {
            throw WaitingMap.absent(key, timeout);
        }
        return response.value();
    }

    @Override
    public byte @Nullable [] watch(String key, byte @Nullable [] seen, Duration timeout) {
        StoreLimits.check(key, seen == null ? NOTHING : seen);
        byte[] expected = new Expected(seen, NOTHING).encode();
        Response response = read(StoreFrames.WATCH, key, expected, timeout);
        if (response == null) {
            throw WaitingMap.unchanged(key, timeout);
        }
        return response.number() == 0 ? null : response.value();
    }

    /** {@return the response to a read that waits; null if what it waits for does not happen} */
    private @Nullable Response read(int operation, String key, byte[] value, Duration timeout) {
        long millis = Math.clamp(TimeUnit.MILLISECONDS.convert(timeout), 0, LONGEST_MILLIS);
        long start = System.nanoTime();
        while (true) {
            long left = Math.max(0, millis - (System.nanoTime() - start) / 1_000_000);
            Response response = readOnce(operation, Math.min(left, longestReadMillis), key, value);
            if (response.status() == StoreFrames.DONE) {
                return response;
            }
            if (left <= longestReadMillis) {
                return null;
            }
        }
    }

    private Response readOnce(int operation, long millis, String key, byte[] value) {
        while (true) {
            StoreClient asked = clients.client();
            try {
                Response response = ask(asked, operation, millis, key, value);
                if (response != null) {
                    return response;
                }
            } catch (RpcTimeoutException e) {
                throw e;
            } catch (RpcException e) {
                // The server may have refused the old certificate during the wait.
                if (!asked.isOutdated() || clients.replace(asked, null) == asked) {
                    throw e;
                }
            }
        }
    }

    @Override
    public long add(String key, long amount) {
        StoreLimits.check(key);
        return ask(StoreFrames.ADD, amount, key, NOTHING).number();
    }

    @Override
    public boolean compareAndSet(String key, byte @Nullable [] expected, byte[] value) {
        StoreLimits.check(key, value);
        StoreLimits.check(key, expected == null ? NOTHING : expected);
        byte[] both = new Expected(expected, value).encode();
        return ask(StoreFrames.COMPARE_AND_SET, 0, key, both).number() == 1;
    }

    @Override
    public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
        StoreLimits.check(key, value);
        StoreLimits.check(timeToLive);
        long requested = System.nanoTime();
        long id = ask(StoreFrames.ACQUIRE, timeToLive.toMillis(), key, value).number();
        if (id == LeaseTable.NONE) {
            return Optional.empty();
        }
        return Optional.of(
                leases.keep(
                        key,
                        Duration.ofMillis(timeToLive.toMillis()),
                        requested,
                        () -> ask(StoreFrames.RENEW, id, key, NOTHING).number() == 1,
                        () -> ask(StoreFrames.RELEASE, id, key, NOTHING)));
    }

    private Response ask(int operation, long number, String key, byte[] value) {
        while (true) {
            Response response = ask(clients.client(), operation, number, key, value);
            if (response != null) {
                return response;
            }
        }
    }

    /** {@return the response, unless it is a failure; null if the connection is retired} */
    private static @Nullable Response ask(
            StoreClient asked, int operation, long number, String key, byte[] value) {
        boolean waits = operation == StoreFrames.GET || operation == StoreFrames.WATCH;
        long wait = waits ? number : 0;
        Response response = asked.ask(operation, number, key, value, ANSWER_TIME.plusMillis(wait));
        if (response != null && response.status() == StoreFrames.FAILED) {
            throw failure(response);
        }
        return response;
    }

    private static RpcException failure(Response response) {
        return new RpcException(
                UntrustedText.quote(new String(response.value(), StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        disconnect();
        if (server != null) {
            server.closeAfterClients();
        }
    }

    @Override
    public void leave() {
        disconnect();
        if (server != null) {
            Thread.ofVirtual().name("gradwire-store-end").start(server::closeWhenUnused);
        }
    }

    @Override
    public void closeNow() {
        leases.abandon();
        clients.close();
        if (server != null) {
            server.close();
        }
    }

    private void disconnect() {
        leases.close();
        clients.close();
    }
}
