package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The connections of a worker to a {@link TcpStore}: one, and another one after a certificate was
 * renewed. Thread-safe.
 */
final class StoreClients {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final long MIN_PAUSE_MILLIS = 20;
    private static final long MAX_PAUSE_MILLIS = 200;
    private static final long PATIENCE = 20; // a wait is divided into this number of pauses
    private static final int MAX_ATTEMPT_MILLIS = 10_000;
    private static final Duration REPLACING_TIME = Duration.ofSeconds(10);
    private static final Duration REPLACING_PAUSE = Duration.ofSeconds(5);

    private final String host;
    private final int port;
    private final StoreSecurity security;
    private volatile StoreClient client;
    private volatile boolean isClosed;
    private long nextReplacementNanos = System.nanoTime(); // guarded by this

    /** Connect as soon as the server accepts it. */
    StoreClients(String host, int port, StoreSecurity security, Duration timeout)
            throws IOException {
        this.host = host;
        this.port = port;
        this.security = security;
        client = connect(host, port, security, timeout);
    }

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

    /**
     * {@return the connection for a request: a new one if this worker has another certificate, or
     * the one that the server has shown is no longer accepted}
     *
     * @throws RpcException when the server shows no other one
     */
    StoreClient client() {
        StoreClient present = client;
        try {
            present.requireAccepted();
        } catch (RpcException e) {
            return replace(present, e);
        }
        return present.isOutdated() ? replace(present, null) : present;
    }

    /** {@return the connection after an attempt to replace one that is outdated or refused} */
    synchronized StoreClient replace(StoreClient present, @Nullable RpcException refusal) {
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

    boolean isClosed() {
        return isClosed;
    }

    void close() {
        isClosed = true;
        client.close();
    }
}
