package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.store.StoreFrames.Request;
import org.gradwire.runtime.store.StoreFrames.Response;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store that rank 0 serves over TCP. Every worker, rank 0 too, is a client with one connection,
 * over which requests may overtake each other.
 */
final class TcpStore implements Store {
    private static final Duration ANSWER_TIME = Duration.ofSeconds(30);
    private static final long CONNECT_PAUSE_MILLIS = 20;

    private final String address;
    private final @Nullable TcpStoreServer server;
    private final Socket socket;
    private final DataOutputStream out; // guarded by this
    private final Map<Long, CompletableFuture<Response>> pending = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong();
    private volatile @Nullable String broken;

    static TcpStore open(String host, int port, boolean serve, String token, Duration timeout) {
        TcpStoreServer server = serve ? TcpStoreServer.start(host, port, token) : null;
        try {
            return new TcpStore(host + ":" + port, server, connect(host, port, timeout), token);
        } catch (IOException e) {
            if (server != null) {
                server.close();
            }
            throw new RpcConfigurationException(
                    "cannot use the store at %s:%d: %s".formatted(host, port, e.getMessage()), e);
        }
    }

    private TcpStore(String address, @Nullable TcpStoreServer server, Socket socket, String token)
            throws IOException {
        this.address = address;
        this.server = server;
        this.socket = socket;
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        introduce(in, token);
        Thread.ofVirtual().name("gradwire-store-client").start(() -> receive(in));
    }

    private static Socket connect(String host, int port, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            var socket = new Socket();
            try {
                socket.setTcpNoDelay(true);
                socket.connect(
                        new InetSocketAddress(host, port),
                        Math.clamp(timeout.toMillis(), 1, 10_000));
                return socket;
            } catch (IOException e) {
                socket.close();
                if (System.nanoTime() > deadline) {
                    throw new IOException(
                            "nobody answered within %d ms (%s); rank 0 serves it, is it running?"
                                    .formatted(timeout.toMillis(), e.getMessage()),
                            e);
                }
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(CONNECT_PAUSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting");
        }
    }

    private void introduce(DataInputStream in, String token) throws IOException {
        out.writeInt(StoreFrames.MAGIC);
        out.writeByte(StoreFrames.VERSION);
        out.flush();
        byte[] nonce = in.readNBytes(StoreFrames.NONCE_BYTES);
        out.write(StoreFrames.proof(token, nonce));
        out.flush();
        int answer = in.read();
        if (answer != StoreFrames.DONE) {
            socket.close();
            throw new IOException(
                    answer == StoreFrames.FAILED
                            ? "it refused this worker; all workers need the same gradwire.authentication-token"
                            : "what answers there is no Gradwire store of version "
                                    + StoreFrames.VERSION);
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
            broken = String.valueOf(e.getMessage());
            pending.values().forEach(waiting -> waiting.completeExceptionally(e));
        }
    }

    @Override
    public void set(String key, byte[] value) {
        ask(StoreFrames.SET, 0, key, value, ANSWER_TIME);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        return ask(StoreFrames.GET, timeout.toMillis(), key, new byte[0], timeout.plus(ANSWER_TIME))
                .value();
    }

    @Override
    public long add(String key, long amount) {
        return ask(StoreFrames.ADD, amount, key, new byte[0], ANSWER_TIME).number();
    }

    private Response ask(int operation, long number, String key, byte[] value, Duration atMost) {
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
        } catch (IOException | ExecutionException e) {
            throw lost(e);
        } catch (TimeoutException _) {
            throw WaitingMap.absent(key, atMost);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while waiting for the store at " + address);
        } finally {
            pending.remove(id);
        }
    }

    private static RpcException failure(int operation, String key, long number, Response response) {
        return operation == StoreFrames.GET
                ? WaitingMap.absent(key, Duration.ofMillis(number))
                : new RpcException(new String(response.value(), StandardCharsets.UTF_8));
    }

    private synchronized void send(Request request) throws IOException {
        if (broken != null) {
            throw new IOException(broken);
        }
        StoreFrames.write(out, request);
    }

    private RpcConnectionException lost(Exception cause) {
        var failure =
                new RpcConnectionException(
                        "lost the store at %s, which rank 0 serves: %s"
                                .formatted(address, cause.getMessage()));
        failure.initCause(cause);
        return failure;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            broken = String.valueOf(e.getMessage());
        }
        if (server != null) {
            server.closeAfterClients();
        }
    }
}
