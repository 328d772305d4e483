package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives peers on other hosts the large buffers of the messages that they were sent, over
 * connections that they open ({@link BulkChannel}).
 *
 * <p>Only buffers of messages that wait to be read, and only to whom they were sent. Each
 * connection has a thread of its own, which ends with it; a peer opens one when it is to read its
 * first buffer.
 */
final class BulkServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(BulkServer.class.getPackageName());

    /** Also of those that do not say who they are. */
    private static final int MOST_CONNECTIONS = 1024;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Tells who may read. */
    interface Peers {

        /** {@return the peer, not lost, that was sent this guard} */
        @Nullable Peer holding(Nonce guard);
    }

    private final ServerSocketChannel socket;
    private final String name;
    private final long patienceNanos;
    private final Peers peers;
    private final AtomicInteger connections = new AtomicInteger();

    private BulkServer(ServerSocketChannel socket, String name, long patienceNanos, Peers peers) {
        this.socket = socket;
        this.name = name;
        this.patienceNanos = patienceNanos;
        this.peers = peers;
    }

    /**
     * Listen at a free port.
     *
     * @return null when that is impossible
     */
    static @Nullable BulkServer open(String host, String name, long patienceNanos, Peers peers) {
        try {
            ServerSocketChannel socket = ServerSocketChannel.open();
            try {
                socket.bind(new InetSocketAddress(host, 0));
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
            var server = new BulkServer(socket, name, patienceNanos, peers);
            Thread.ofPlatform().daemon().name(name).start(server::accept);
            return server;
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "no TCP socket can be opened at {0}: {1}", host, e.toString());
            return null;
        }
    }

    /** {@return the port at which it listens} */
    int port() {
        return socket.socket().getLocalPort();
    }

    private void accept() {
        while (socket.isOpen()) {
            try {
                serve(socket.accept());
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "no connection was accepted: {0}", e.toString());
                LockSupport.parkNanos(PAUSE_NANOS); // no descriptor is left, maybe
            }
        }
    }

    private void serve(SocketChannel connected) throws IOException {
        if (connections.incrementAndGet() > MOST_CONNECTIONS) {
            connections.decrementAndGet();
            connected.close();
            return;
        }
        Thread.ofPlatform()
                .daemon()
                .name(name + "-reader")
                .start(() -> {
                    try {
                        answerAll(connected);
                    } catch (IOException e) {
                        LOG.log(Level.DEBUG, "a connection has ended: {0}", e.toString());
                    } finally {
                        connections.decrementAndGet();
                    }
                });
    }

    private void answerAll(SocketChannel connected) throws IOException {
        var reader = new Reader();
        try (BulkChannel channel =
                BulkChannel.over(connected, patienceNanos, () -> isNeeded(reader.peer))) {
            Peer peer = peers.holding(channel.takeGreeting());
            reader.peer = peer;
            while (peer != null && isNeeded(peer)) {
                answer(channel, peer, channel.takeRequest());
            }
        }
    }

    /** Who has connected; null until it has said so. */
    private static final class Reader {
        @Nullable Peer peer;
    }

    private boolean isNeeded(@Nullable Peer peer) {
        return socket.isOpen() && (peer == null || !peer.isLost());
    }

    private static void answer(BulkChannel channel, Peer peer, BulkChannel.Request request)
            throws IOException {
        Outgoing message = peer.outbox().beginReading(request.transfer());
        if (message == null) {
            channel.refuse();
            return;
        }
        try {
            MemorySegment buffer = message.remoteBuffer(request.index(), request.length());
            if (buffer == null) {
                channel.refuse();
            } else {
                channel.answer(buffer);
            }
        } finally {
            peer.outbox().endReading(message);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing", e);
        }
    }
}
