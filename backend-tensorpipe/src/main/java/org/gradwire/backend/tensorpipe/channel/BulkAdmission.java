package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.address.HostAddress;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Accepts bulk connections and performs the server's side of the handshake ({@link BulkHandshake}),
 * all on one thread.
 *
 * <p>An unproven connection costs one descriptor and a few bytes for at most two seconds. At most
 * 64 exist, 8 of them from one address: more from that address are closed, others wait in the
 * system's queue. Connections from hosts without a peer are closed at once.
 */
final class BulkAdmission {
    private static final Logger LOG = System.getLogger(BulkAdmission.class.getPackageName());
    private static final int MOST_UNPROVEN = 64;
    private static final int MOST_PER_ADDRESS = 8;
    private static final long GREETING_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_MILLIS = 100;

    /** Receives the connections whose other end has proven to be a peer. */
    interface Admitted {
        void onAdmitted(SocketChannel socket, BulkPeer peer, @Nullable BulkSeal seal);
    }

    /** A connection whose other end has not proven its identity. */
    private static final class Unproven {
        final SocketChannel socket;
        final InetAddress address;
        final long since = System.nanoTime();
        final Nonce challenge;
        final ByteBuffer answer = BulkHandshake.answerBuffer();

        Unproven(SocketChannel socket, Nonce challenge) {
            this.socket = socket;
            this.challenge = challenge;
            address = socket.socket().getInetAddress();
        }
    }

    private final ServerSocketChannel server;
    private final Selector selector;
    private final SelectionKey accepting;
    private final BulkAuthenticator authenticator;
    private final BulkServer.Peers peers;
    private final Admitted admitted;
    private final SecureRandom random = new SecureRandom();
    private final Set<Unproven> unproven = new HashSet<>();
    private boolean isShortOfDescriptors;

    BulkAdmission(
            ServerSocketChannel server,
            BulkAuthenticator authenticator,
            BulkServer.Peers peers,
            Admitted admitted)
            throws IOException {
        this.server = server;
        this.authenticator = authenticator;
        this.peers = peers;
        this.admitted = admitted;
        server.configureBlocking(false);
        selector = Selector.open();
        accepting = server.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Accept connections until the server's socket is closed. */
    void run() {
        try (selector) {
            while (server.isOpen()) {
                boolean isFull = isShortOfDescriptors || unproven.size() >= MOST_UNPROVEN;
                isShortOfDescriptors = false; // tried again after the next select
                accepting.interestOps(isFull ? 0 : SelectionKey.OP_ACCEPT);
                selector.select(this::onReady, LOOK_MILLIS);
                expire();
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(server.isOpen() ? Level.WARNING : Level.DEBUG, "TCP reads have ended", e);
        } finally {
            List.copyOf(unproven).forEach(this::close);
        }
    }

    private void onReady(SelectionKey key) {
        if (key.equals(accepting)) {
            accept();
        } else if (key.attachment() instanceof Unproven connection) {
            try {
                onReadable(key, connection);
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.DEBUG, "a connection was refused: {0}", e.toString());
                close(connection);
            }
        }
    }

    private void accept() {
        try {
            while (unproven.size() < MOST_UNPROVEN) {
                SocketChannel socket = server.accept();
                if (socket == null) {
                    return;
                }
                var connection = new Unproven(socket, Nonce.random(random));
                if (peers.areAt(HostAddress.of(connection.address))) {
                    challenge(connection);
                } else {
                    close(connection);
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no connection was accepted: {0}", e.toString());
            isShortOfDescriptors = true;
        }
    }

    private void challenge(Unproven connection) {
        unproven.add(connection);
        try {
            long ofAddress =
                    unproven.stream().filter(u -> u.address.equals(connection.address)).count();
            if (ofAddress > MOST_PER_ADDRESS) {
                throw new IOException("too many connections of " + connection.address);
            }
            connection.socket.configureBlocking(false);
            write(connection.socket, BulkHandshake.challenge(connection.challenge));
            connection.socket.register(selector, SelectionKey.OP_READ, connection);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a connection was refused: {0}", e.toString());
            close(connection);
        }
    }

    /** Write bytes, which fit into the empty send buffer of a new socket. */
    private static void write(SocketChannel socket, ByteBuffer bytes) throws IOException {
        socket.write(bytes);
        if (bytes.hasRemaining()) {
            throw new IOException("the other end does not read");
        }
    }

    private void onReadable(SelectionKey key, Unproven connection) throws IOException {
        if (connection.socket.read(connection.answer) < 0) {
            throw new IOException("it was closed before its handshake");
        }
        if (connection.answer.hasRemaining()) {
            return;
        }
        BulkHandshake.Answer answer = BulkHandshake.Answer.decode(connection.answer.flip());
        BulkPeer peer = find(answer, connection.challenge);
        if (peer == null) {
            throw new IOException("it has not proven to be a peer");
        }
        Proof own = answer.proofOfServer(authenticator, peer, connection.challenge);
        write(connection.socket, BulkHandshake.confirmation(own));
        key.cancel();
        unproven.remove(connection);
        BulkSeal seal = BulkSeal.of(peer.secret(), answer.challenges(peer, connection.challenge));
        admitted.onAdmitted(connection.socket, peer, seal);
    }

    private @Nullable BulkPeer find(BulkHandshake.Answer answer, Nonce challenge) {
        BulkPeer peer = peers.find(answer.id());
        boolean isProven =
                peer != null && peer.isOpen() && answer.isOf(authenticator, peer, challenge);
        return isProven ? peer : null;
    }

    private void expire() {
        for (Unproven connection : List.copyOf(unproven)) {
            if (System.nanoTime() - connection.since > GREETING_NANOS) {
                close(connection);
            }
        }
    }

    private void close(Unproven connection) {
        unproven.remove(connection);
        try {
            connection.socket.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing", e);
        }
    }
}
