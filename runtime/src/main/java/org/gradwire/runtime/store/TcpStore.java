package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.store.StoreFrames.Response;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A store that rank 0 serves over TCP. Every worker, rank 0 too, is a client with one connection,
 * and opens another one after a certificate was renewed.
 */
final class TcpStore implements GroupStore {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final Duration ANSWER_TIME = Duration.ofSeconds(30);
    private static final long LONGEST_MILLIS = Duration.ofDays(365).toMillis();
    private static final long MIN_PAUSE_MILLIS = 20;
    private static final long MAX_PAUSE_MILLIS = 200;
    private static final long PATIENCE = 20; // a wait is divided into this number of pauses
    private static final int MAX_ATTEMPT_MILLIS = 10_000;
    private static final long LONGEST_GET_MILLIS = 2_000; // so that waits notice a new certificate
    private static final Duration REPLACING_TIME = Duration.ofSeconds(10);
    private static final Duration REPLACING_PAUSE = Duration.ofSeconds(5);
    private static final byte[] NOTHING = {};

    private final String host;
    private final int port;
    private final StoreSecurity security;
    private final @Nullable TcpStoreServer server;
    private volatile StoreClient client;
    private volatile boolean isClosed;
    private long nextReplacementNanos = System.nanoTime(); // guarded by this

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
            return connect(host, port, server, security, timeout);
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

    private static TcpStore connect(
            String host,
            int port,
            @Nullable TcpStoreServer server,
            StoreSecurity security,
            Duration timeout)
            throws IOException {
        return new TcpStore(host, port, server, security, connect(host, port, security, timeout));
    }

    /** Connect as soon as the server accepts it. */
    private static StoreClient connect(
            String host, int port, StoreSecurity security, Duration timeout) throws IOException {
        long start = System.nanoTime();
        long patience = TimeUnit.MILLISECONDS.convert(timeout);
        while (true) {
            long left = patience - (System.nanoTime() - start) / 1_000_000;
            try {
                int millis = Math.clamp(left, 1, MAX_ATTEMPT_MILLIS);
                return new StoreClient(host, port, security, millis);
            } catch (HandshakeRefusedException e) {
                throw e;
            } catch (IOException e) {
                if (left <= 0) {
                    throw new IOException(
                            "no reply within %d ms (%s); rank 0 serves it: start that worker, or correct gradwire.rendezvous"
                                    .formatted(patience, e.getMessage()),
                            e);
                }
            }
            pause(Math.clamp((patience - left) / PATIENCE, MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS));
        }
    }

    private static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new HandshakeRefusedException("interrupted while connecting");
        }
    }

    private TcpStore(
            String host,
            int port,
            @Nullable TcpStoreServer server,
            StoreSecurity security,
            StoreClient client) {
        this.host = host;
        this.port = port;
        this.server = server;
        this.security = security;
        this.client = client;
    }

    @Override
    public void set(String key, byte[] value) {
        StoreLimits.check(key, value);
        var _ = ask(StoreFrames.SET, 0, key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        StoreLimits.check(key);
        long millis = Math.clamp(TimeUnit.MILLISECONDS.convert(timeout), 0, LONGEST_MILLIS);
        long longest = security.hasCertificate() ? LONGEST_GET_MILLIS : LONGEST_MILLIS;
        long start = System.nanoTime();
        while (true) {
            long left = Math.max(0, millis - (System.nanoTime() - start) / 1_000_000);
            Response response = get(key, Math.min(left, longest));
            if (response.status() == StoreFrames.DONE) {
                return response.value();
            }
            if (left <= longest) {
                throw WaitingMap.absent(key, Duration.ofMillis(millis));
            }
        }
    }

    private Response get(String key, long millis) {
        while (true) {
            StoreClient asked = client();
            try {
                Response response = ask(asked, StoreFrames.GET, millis, key, NOTHING);
                if (response != null) {
                    return response;
                }
            } catch (RpcTimeoutException e) {
                throw e;
            } catch (RpcException e) {
                // The server may have refused the old certificate during the wait.
                if (!asked.isOutdated() || replace(asked, null) == asked) {
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

    private Response ask(int operation, long number, String key, byte[] value) {
        while (true) {
            Response response = ask(client(), operation, number, key, value);
            if (response != null) {
                return response;
            }
        }
    }

    /** {@return the response, unless it is a failure; null if the connection is retired} */
    private static @Nullable Response ask(
            StoreClient asked, int operation, long number, String key, byte[] value) {
        long wait = operation == StoreFrames.GET ? number : 0;
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

    /**
     * {@return the connection for a request: a new one if this worker has another certificate, or
     * the one that the server has shown is no longer accepted}
     *
     * @throws RpcException when the server shows no other one
     */
    private StoreClient client() {
        StoreClient present = client;
        try {
            present.requireAccepted();
        } catch (RpcException e) {
            return replace(present, e);
        }
        return present.isOutdated() ? replace(present, null) : present;
    }

    private synchronized StoreClient replace(StoreClient present, @Nullable RpcException refusal) {
        boolean isDue = refusal != null || System.nanoTime() - nextReplacementNanos >= 0;
        if (client != present || !isDue) {
            return client; // another thread has replaced it, or the last attempt has failed
        }
        try {
            client = connect(host, port, security, REPLACING_TIME);
            present.retire();
            if (isClosed) {
                client.close();
            }
        } catch (IOException e) {
            onNotReplaced(present, refusal, e);
        }
        return client;
    }

    private void onNotReplaced(
            StoreClient present, @Nullable RpcException refusal, IOException failure) {
        if (refusal != null) {
            present.close();
            throw refusal;
        }
        nextReplacementNanos = System.nanoTime() + REPLACING_PAUSE.toNanos();
        LOGGER.log(
                Level.WARNING,
                "the store at {0}:{1} is used with the previous certificate: {2}",
                host,
                Integer.toString(port),
                failure.getMessage());
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
        disconnect();
        if (server != null) {
            server.close();
        }
    }

    private void disconnect() {
        isClosed = true;
        client.close();
    }
}
