package org.gradwire.backend.tensorpipe.channel;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Serves the large buffers of messages to peers on other hosts, over connections that these open
 * ({@link BulkChannel}).
 *
 * <p>Serves only buffers of messages that wait to be read, and only to the peer to which they were
 * sent. Each connection admitted by {@link BulkAdmission} has its own thread; a peer opens one for
 * its first read. Of more than four connections of one peer the oldest is closed.
 */
public final class BulkServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(BulkServer.class.getPackageName());
    private static final int MOST_PER_PEER = 4;

    /** Look-up of the peers that may read. Thread-safe. */
    public interface Peers {

        /** {@return the peer with an id; null if unknown} */
        @Nullable BulkPeer find(int id);

        /** {@return whether a peer is on a host} */
        boolean areAt(InetAddress host);
    }

    private final ServerSocketChannel socket;
    private final String name;
    private final long timeoutNanos;
    private final Map<BulkPeer, Deque<SocketChannel>> connections =
            new HashMap<>(); // guarded by itself

    private BulkServer(ServerSocketChannel socket, String name, long timeoutNanos) {
        this.socket = socket;
        this.name = name;
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * Listen at a free port.
     *
     * @return null on failure
     */
    public static @Nullable BulkServer open(
            String host,
            String name,
            long timeoutNanos,
            BulkAuthenticator authenticator,
            Peers peers) {
        try {
            ServerSocketChannel socket = ServerSocketChannel.open();
            try {
                socket.bind(new InetSocketAddress(host, 0));
                var server = new BulkServer(socket, name, timeoutNanos);
                var admission = new BulkAdmission(socket, authenticator, peers, server::serve);
                Thread.ofPlatform().daemon().name(name).start(admission::run);
                return server;
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "no TCP socket can be opened at {0}: {1}", host, e.toString());
            return null;
        }
    }

    /** {@return the listening port} */
    public int port() {
        return socket.socket().getLocalPort();
    }

    private void serve(SocketChannel connected, BulkPeer peer, @Nullable BulkSeal seal) {
        enter(connected, peer);
        Thread.ofPlatform()
                .daemon()
                .name(name + "-reader")
                .start(() -> {
                    try {
                        answerAll(connected, peer, seal);
                    } catch (IOException e) {
                        LOG.log(Level.DEBUG, "a connection has ended: {0}", e.toString());
                    } finally {
                        remove(connected, peer);
                    }
                });
    }

    private void enter(SocketChannel connected, BulkPeer peer) {
        synchronized (connections) {
            var ofPeer = connections.computeIfAbsent(peer, _ -> new ArrayDeque<>());
            ofPeer.add(connected);
            if (ofPeer.size() > MOST_PER_PEER) {
                close(ofPeer.remove());
            }
        }
    }

    private void remove(SocketChannel connected, BulkPeer peer) {
        close(connected);
        synchronized (connections) {
            connections.computeIfPresent(
                    peer,
                    (_, ofPeer) -> {
                        ofPeer.remove(connected);
                        return ofPeer.isEmpty() ? null : ofPeer;
                    });
        }
    }

    private void answerAll(SocketChannel connected, BulkPeer peer, @Nullable BulkSeal seal)
            throws IOException {
        try (BulkChannel channel =
                BulkChannel.over(connected, seal, timeoutNanos, () -> isNeeded(peer))) {
            while (isNeeded(peer)) {
                answer(channel, peer, channel.takeRequest());
            }
        }
    }

    private boolean isNeeded(BulkPeer peer) {
        return socket.isOpen() && !peer.isLost();
    }

    private static void answer(BulkChannel channel, BulkPeer peer, BulkChannel.Request request)
            throws IOException {
        try (BulkPeer.Lease lease = peer.lease(request)) {
            if (lease == null) {
                channel.refuse();
            } else {
                channel.answer(lease.buffer());
            }
        }
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing", e);
        }
    }

    @Override
    public void close() {
        close(socket);
    }
}
