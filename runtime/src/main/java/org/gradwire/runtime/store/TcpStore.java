package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.store.StoreFrames.Request;
import org.gradwire.runtime.store.StoreFrames.Response;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store that rank 0 serves over TCP. Every worker, rank 0 too, is a client with one connection,
 * over which requests may overtake each other. Requests and responses are encrypted with keys of
 * the connection.
 */
final class TcpStore implements GroupStore {
    private static final Duration ANSWER_TIME = Duration.ofSeconds(30);
    private static final long LONGEST_MILLIS = Duration.ofDays(365).toMillis();
    private static final long MIN_PAUSE_MILLIS = 20;
    private static final long MAX_PAUSE_MILLIS = 200;
    private static final long PATIENCE = 20; // a wait is divided into this number of pauses
    private static final long MAX_ATTEMPT_MILLIS = 10_000;
    private static final byte[] NOTHING = {};

    private final String address;
    private final @Nullable TcpStoreServer server;
    private final Socket socket;
    private final @Nullable CertifiedWorker
            certified; // serves the store; null without certificates
    private final DataOutputStream out; // guarded by this
    private final Map<Long, CompletableFuture<Response>> pending = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong();
    private volatile @Nullable String broken;

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
        long start = System.nanoTime();
        long patience = TimeUnit.MILLISECONDS.convert(timeout);
        while (true) {
            long left = patience - (System.nanoTime() - start) / 1_000_000;
            try {
                return new TcpStore(
                        host,
                        port,
                        server,
                        security,
                        (int) Math.clamp(left, 1, MAX_ATTEMPT_MILLIS));
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
            int millis)
            throws IOException {
        this.address = host + ":" + port;
        this.server = server;
        this.socket = new Socket();
        boolean introduced = false;
        try {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), millis);
            var handshake = new ClientHandshake(socket, security, deadline);
            SessionKeys keys = handshake.perform();
            certified = handshake.server();
            socket.setSoTimeout(0);
            out =
                    new DataOutputStream(
                            new BufferedOutputStream(
                                    new SealedOutput(
                                            socket.getOutputStream(), keys.clientToServer())));
            var plainIn = new BufferedInputStream(socket.getInputStream());
            var in = new DataInputStream(new SealedInput(plainIn, keys.serverToClient()));
            introduced = true;
            Thread.ofPlatform().daemon().name("gradwire-store-client").start(() -> receive(in));
        } finally {
            if (!introduced) {
                socket.close();
            }
        }
    }

    private void receive(DataInputStream in) {
        try {
            while (true) {
                Response response = StoreFrames.readResponse(in);
                CompletableFuture<Response> waiting = pending.remove(response.id());
                if (waiting != null) {
                    waiting.complete(response);
                }
            }
        } catch (IOException | RuntimeException e) {
            String why = e.getMessage() == null ? "the connection was closed" : e.getMessage();
            broken = why;
            pending.values()
                    .forEach(waiting -> waiting.completeExceptionally(new IOException(why, e)));
        }
    }

    @Override
    public void set(String key, byte[] value) {
        StoreLimits.check(key, value);
        ask(StoreFrames.SET, 0, key, value, ANSWER_TIME);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        StoreLimits.check(key);
        long millis = Math.clamp(TimeUnit.MILLISECONDS.convert(timeout), 0, LONGEST_MILLIS);
        return ask(StoreFrames.GET, millis, key, NOTHING, ANSWER_TIME.plusMillis(millis)).value();
    }

    @Override
    public long add(String key, long amount) {
        StoreLimits.check(key);
        return ask(StoreFrames.ADD, amount, key, NOTHING, ANSWER_TIME).number();
    }

    private Response ask(int operation, long number, String key, byte[] value, Duration atMost) {
        requireAccepted();
        long id = nextId.getAndIncrement();
        var waiting = new CompletableFuture<Response>();
        pending.put(id, waiting);
        try {
            send(new Request(id, operation, number, key, value));
            Response response = waiting.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            if (response.status() != StoreFrames.DONE) {
                throw failure(operation, key, number, response);
            }
            return response;
        } catch (IOException e) {
            throw lost(e);
        } catch (ExecutionException e) {
            throw lost(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException _) {
            throw new RpcTimeoutException(
                    "the store at %s did not reply within %d ms"
                            .formatted(address, atMost.toMillis()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while waiting for the store at " + address);
        } finally {
            pending.remove(id);
        }
    }

    /** End the connection if the certificate of the worker that serves the store is refused. */
    private void requireAccepted() {
        if (certified != null) {
            try {
                certified.requireAccepted();
            } catch (RpcException e) {
                disconnect();
                throw e;
            }
        }
    }

    private static RpcException failure(int operation, String key, long number, Response response) {
        return operation == StoreFrames.GET && response.status() == StoreFrames.ABSENT
                ? WaitingMap.absent(key, Duration.ofMillis(number))
                : new RpcException(
                        UntrustedText.quote(new String(response.value(), StandardCharsets.UTF_8)));
    }

    /** Send a request. Writes have no timeout: a server that does not read blocks them forever. */
    private synchronized void send(Request request) throws IOException {
        if (broken != null) {
            throw new IOException(broken);
        }
        Future<?> giveUp = WorkerTime.system().schedule(this::disconnect, ANSWER_TIME.toNanos());
        try {
            StoreFrames.write(out, request);
        } finally {
            giveUp.cancel(false);
        }
    }

    private RpcConnectionException lost(Throwable cause) {
        return new RpcConnectionException(
                "lost the store at %s, which rank 0 serves: %s"
                        .formatted(address, cause.getMessage()),
                cause);
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
        try {
            socket.close(); // ends the receiver, which ends the waits
        } catch (IOException e) {
            broken = String.valueOf(e.getMessage());
        }
    }
}
