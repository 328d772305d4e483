package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
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
 * Gives peers on other hosts the large buffers of the messages that they were sent, over
 * connections that they open ({@link BulkChannel}).
 *
 * <p>Only buffers of messages that wait to be read, and only to the peer to which they were sent. A
 * connection that {@link BulkAdmission} has admitted has a thread of its own, which ends with it; a
 * peer opens one when it is to read its first buffer. Of more than four of one peer the oldest is
 * closed.
 */
final class BulkServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(BulkServer.class.getPackageName());
    private static final int MOST_PER_PEER = 4;

    /** Tells which peers there are. */
    interface Peers {

        /** {@return the peer of an id, if it is known} */
        @Nullable Peer find(int id);

        /** {@return whether any of them is on a host} */
        boolean areAt(InetAddress host);
    }

    private final ServerSocketChannel socket;
    private final String name;
    private final long patienceNanos;
    private final Map<Peer, Deque<SocketChannel>> connections = new HashMap<>(); // guarded by it

    private BulkServer(ServerSocketChannel socket, String name, long patienceNanos) {
        this.socket = socket;
        this.name = name;
        this.patienceNanos = patienceNanos;
    }

    /**
     * Listen at a free port.
     *
     * @return null when that is impossible
     */
    static @Nullable BulkServer open(
            String host,
            String name,
            long patienceNanos,
            BulkAuthenticator authenticator,
            Peers peers) {
        try {
            ServerSocketChannel socket = ServerSocketChannel.open();
            try {
                socket.bind(new InetSocketAddress(host, 0));
                var server = new BulkServer(socket, name, patienceNanos);
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

    /** {@return the port at which it listens} */
    int port() {
        return socket.socket().getLocalPort();
    }

    private void serve(SocketChannel connected, Peer peer) {
        enter(connected, peer);
        Thread.ofPlatform()
                .daemon()
                .name(name + "-reader")
                .start(() -> {
                    try {
                        answerAll(connected, peer);
                    } catch (IOException e) {
                        LOG.log(Level.DEBUG, "a connection has ended: {0}", e.toString());
                    } finally {
                        remove(connected, peer);
                    }
                });
    }

    private void enter(SocketChannel connected, Peer peer) {
        synchronized (connections) {
            var ofPeer = connections.computeIfAbsent(peer, _ -> new ArrayDeque<>());
            ofPeer.add(connected);
            if (ofPeer.size() > MOST_PER_PEER) {
                close(ofPeer.remove());
            }
        }
    }

    private void remove(SocketChannel connected, Peer peer) {
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

    private void answerAll(SocketChannel connected, Peer peer) throws IOException {
        try (BulkChannel channel =
                BulkChannel.over(connected, patienceNanos, () -> isNeeded(peer))) {
            while (isNeeded(peer)) {
                answer(channel, peer, channel.takeRequest());
            }
        }
    }

    private boolean isNeeded(Peer peer) {
        return socket.isOpen() && !peer.isLost();
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
