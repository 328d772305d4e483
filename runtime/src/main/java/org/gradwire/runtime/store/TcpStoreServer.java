package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.store.StoreFrames.Request;
import org.gradwire.runtime.store.StoreFrames.Response;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves a table to the workers of a group. A virtual thread reads each connection; each waiting
 * {@code get} has one more. Rubbish ends the connection it came from and nothing else.
 */
final class TcpStoreServer implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final int HANDSHAKE_MILLIS = 10_000;
    private static final Duration FOR_GOOD = Duration.ofDays(365);
    private static final Duration LINGER = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(1);
    private static final long ACCEPT_PAUSE_NANOS = 50_000_000;
    private static final byte[] NOTHING = {};

    private final ServerSocket listening;
    private final Thread accepting =
            Thread.ofVirtual().name("gradwire-store-server").unstarted(this::accept);
    private final String token;
    private final WaitingMap table = new WaitingMap();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Set<Socket> clients = new HashSet<>(); // those admitted; guarded by itself
    private final SecureRandom random = new SecureRandom();

    static TcpStoreServer start(String host, int port, String token) {
        try {
            var listening = new ServerSocket();
            listening.setReuseAddress(true);
            listening.bind(bindAddress(host, port));
            var server = new TcpStoreServer(listening, token);
            server.accepting.start();
            return server;
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "rank 0 cannot serve the store at %s:%d: %s; is the port in use?"
                            .formatted(host, port, e.getMessage()),
                    e);
        }
    }

    private TcpStoreServer(ServerSocket listening, String token) {
        this.listening = listening;
        this.token = token;
    }

    /**
     * A loopback name is served on loopback only; any other on all interfaces, since the host's own
     * name may resolve to something its peers cannot reach.
     */
    private static InetSocketAddress bindAddress(String host, int port) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return address.isLoopbackAddress()
                ? new InetSocketAddress(address, port)
                : new InetSocketAddress(port);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                connections.add(client);
                Thread.ofVirtual().name("gradwire-store-connection").start(() -> serve(client));
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "the store could not accept a connection: {0}",
                            e.getMessage());
                    LockSupport.parkNanos(ACCEPT_PAUSE_NANOS); // out of file handles, say
                }
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            var in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            var out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
            client.setSoTimeout(HANDSHAKE_MILLIS);
            if (admit(in, out)) {
                synchronized (clients) {
                    clients.add(client);
                }
                client.setSoTimeout(0);
                while (true) {
                    answer(StoreFrames.readRequest(in), out);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "a connection to the store ended: {0}",
                    e.getMessage());
        } finally {
            connections.remove(client);
            synchronized (clients) {
                clients.remove(client);
                clients.notifyAll();
            }
        }
    }

    private boolean admit(DataInputStream in, DataOutputStream out) throws IOException {
        if (in.readInt() != StoreFrames.MAGIC || in.readByte() != StoreFrames.VERSION) {
            return false;
        }
        byte[] nonce = new byte[StoreFrames.NONCE_BYTES];
        random.nextBytes(nonce);
        out.write(nonce);
        out.flush();
        byte[] proof = in.readNBytes(StoreFrames.PROOF_BYTES);
        boolean known = MessageDigest.isEqual(proof, StoreFrames.proof(token, nonce));
        out.writeByte(known ? StoreFrames.DONE : StoreFrames.FAILED);
        out.flush();
        if (!known) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the store refused a process that does not know gradwire.authentication-token");
        }
        return known;
    }

    private void answer(Request request, DataOutputStream out) throws IOException {
        switch (request.operation()) {
            case StoreFrames.SET -> {
                table.set(request.key(), request.value());
                send(out, new Response(request.id(), StoreFrames.DONE, 0, NOTHING));
            }
            case StoreFrames.ADD -> send(out, add(request));
            case StoreFrames.GET -> {
                byte[] value = table.find(request.key());
                if (value != null) {
                    send(out, new Response(request.id(), StoreFrames.DONE, 0, value));
                } else {
                    Thread.ofVirtual().start(() -> get(request, out));
                }
            }
            default -> throw new IOException("unknown operation " + request.operation());
        }
    }

    private Response add(Request request) {
        try {
            long sum = table.add(request.key(), request.number());
            return new Response(request.id(), StoreFrames.DONE, sum, NOTHING);
        } catch (RuntimeException e) {
            return failed(request, e);
        }
    }

    private static Response failed(Request request, RuntimeException failure) {
        byte[] why = String.valueOf(failure.getMessage()).getBytes(StandardCharsets.UTF_8);
        return new Response(request.id(), StoreFrames.FAILED, 0, why);
    }

    private void get(Request request, DataOutputStream out) {
        Response response;
        try {
            byte[] value = table.get(request.key(), Duration.ofMillis(request.number()));
            response = new Response(request.id(), StoreFrames.DONE, 0, value);
        } catch (RuntimeException e) {
            response = failed(request, e);
        }
        try {
            send(out, response);
        } catch (IOException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "a worker left before the store could answer it: {0}",
                    e.getMessage());
        }
    }

    private static void send(DataOutputStream out, Response response) throws IOException {
        synchronized (out) {
            StoreFrames.write(out, response);
        }
    }

    /** Stop when the last client has gone, or has had the time to. */
    void closeAfterClients() {
        closeAfterClients(LINGER);
    }

    /** Stop when the last client has gone. */
    void closeWhenUnused() {
        closeAfterClients(FOR_GOOD);
    }

    private void closeAfterClients(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        synchronized (clients) {
            long left;
            while (!clients.isEmpty() && (left = (deadline - System.nanoTime()) / 1_000_000) > 0) {
                try {
                    clients.wait(left);
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
        closeQuietly(listening);
        try {
            // Only when nobody accepts any more is the port free for the next store.
            var _ = accepting.join(CLOSE_TIME);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        connections.forEach(TcpStoreServer::closeQuietly);
    }

    private static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "closing the store: {0}", e.getMessage());
        }
    }
}
