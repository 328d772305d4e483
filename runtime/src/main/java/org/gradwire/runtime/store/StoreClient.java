package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.store.StoreFrames.Request;
import org.gradwire.runtime.store.StoreFrames.Response;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The client's side of one connection to a {@link TcpStore}. Requests may overtake each other;
 * requests and responses are encrypted with keys of the connection. Thread-safe.
 */
final class StoreClient {
    private static final Duration SEND_TIME = Duration.ofSeconds(30);
    private static final long NONE = -1;

    private final String address;
    private final Socket socket;
    private final @Nullable HandshakeIdentity identity; // null without certificates
    private final List<X509Certificate> shown; // this worker's, in the handshake
    private final @Nullable CertifiedWorker server; // null without certificates
    private final DataOutputStream out; // guarded by itself
    private final Map<Long, CompletableFuture<Response>> pending = new HashMap<>(); // by this
    private long nextId; // guarded by this
    private boolean isRetired; // guarded by this
    private volatile @Nullable String broken;

    /**
     * Connect, and perform the handshake.
     *
     * @throws HandshakeRefusedException when one side does not accept the other
     */
    StoreClient(String host, int port, StoreSecurity security, int millis) throws IOException {
        address = host + ":" + port;
        socket = new Socket();
        identity = security.identity();
        shown = identity == null ? List.of() : identity.certificates();
        boolean introduced = false;
        try {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            socket.setTcpNoDelay(true);
            socket.connect(endpoint(host, port), millis);
            var handshake = new ClientHandshake(socket, security, deadline);
            SessionKeys keys = handshake.perform();
            server = handshake.server();
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

    /**
     * {@return the address to connect to: loopback for the address of all interfaces, which the JDK
     * would replace by the address of this host's name, and that may be unknown}
     */
    private static InetSocketAddress endpoint(String host, int port) {
        var named = new InetSocketAddress(host, port);
        InetAddress address = named.getAddress();
        return address != null && address.isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : named;
    }

    private void receive(DataInputStream in) {
        try {
            while (true) {
                Response response = StoreFrames.readResponse(in);
                CompletableFuture<Response> waiting = remove(response.id());
                if (waiting != null) {
                    waiting.complete(response);
                }
            }
        } catch (IOException | RuntimeException e) {
            String why = e.getMessage() == null ? "the connection was closed" : e.getMessage();
            broken = why;
            removeAll().forEach(waiting -> waiting.completeExceptionally(new IOException(why, e)));
        }
    }

    /** {@return whether this worker has another certificate since the handshake} */
    boolean isOutdated() {
        return identity != null && !identity.certificates().equals(shown);
    }

    /**
     * Require that the certificate of the worker that serves the store is still accepted.
     *
     * @throws RpcException when it is not
     */
    void requireAccepted() {
        if (server != null) {
            server.requireAccepted();
        }
    }

    /**
     * Send a request; {@return the response, which may be a failure; null if the connection was
     * retired before}
     *
     * @throws RpcConnectionException when the connection is lost
     * @throws RpcTimeoutException when there is no response in time
     */
    @Nullable Response ask(int operation, long number, String key, byte[] value, Duration atMost) {
        var waiting = new CompletableFuture<Response>();
        long id = add(waiting);
        if (id == NONE) {
            return null;
        }
        try {
            send(new Request(id, operation, number, key, value));
            return waiting.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
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
            var _ = remove(id);
        }
    }

    /** Writes have no timeout: a server that does not read blocks them forever. */
    private void send(Request request) throws IOException {
        synchronized (out) {
            if (broken != null) {
                throw new IOException(broken);
            }
            Future<?> giveUp = WorkerTime.system().schedule(this::close, SEND_TIME.toNanos());
            try {
                StoreFrames.write(out, request);
            } finally {
                giveUp.cancel(false);
            }
        }
    }

    private RpcConnectionException lost(Throwable cause) {
        return new RpcConnectionException(
                "lost the store at %s, which rank 0 serves: %s"
                        .formatted(address, cause.getMessage()),
                cause);
    }

    private synchronized long add(CompletableFuture<Response> waiting) {
        if (isRetired) {
            return NONE;
        }
        pending.put(nextId, waiting);
        return nextId++;
    }

    private @Nullable CompletableFuture<Response> remove(long id) {
        CompletableFuture<Response> waiting;
        boolean isOver;
        synchronized (this) {
            waiting = pending.remove(id);
            isOver = isRetired && pending.isEmpty();
        }
        if (isOver) {
            close();
        }
        return waiting;
    }

    private synchronized List<CompletableFuture<Response>> removeAll() {
        List<CompletableFuture<Response>> all = new ArrayList<>(pending.values());
        pending.clear();
        return all;
    }

    /** Close the connection when its last request has a response; there are no further ones. */
    void retire() {
        boolean isOver;
        synchronized (this) {
            isRetired = true;
            isOver = pending.isEmpty();
        }
        if (isOver) {
            close();
        }
    }

    /** Close the connection; waiting requests fail. */
    void close() {
        try {
            socket.close(); // ends the receiver, which ends the waits
        } catch (IOException e) {
            broken = String.valueOf(e.getMessage());
        }
    }
}
