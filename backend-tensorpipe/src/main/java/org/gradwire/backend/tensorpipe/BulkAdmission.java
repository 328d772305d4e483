package org.gradwire.backend.tensorpipe;

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
 * Accepts bulk connections and checks their greetings ({@link BulkGreeting}), all on one thread.
 *
 * <p>A connection that has not proven who it is costs one descriptor and a few bytes for at most
 * two seconds. There are at most 64 of them, 8 from one address: further ones of that address are
 * closed, those of others wait in the system's queue. Those of hosts where there is no peer are
 * closed at once.
 */
final class BulkAdmission {
    private static final Logger LOG = System.getLogger(BulkAdmission.class.getPackageName());
    private static final int MOST_UNPROVEN = 64;
    private static final int MOST_PER_ADDRESS = 8;
    private static final long GREETING_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_MILLIS = 100;

    /** Takes connections whose other end has proven to be a peer. */
    interface Admitted {
        void onAdmitted(SocketChannel socket, Peer peer);
    }

    /** A connection that has not proven who it is. */
    private static final class Unproven {
        final SocketChannel socket;
        final InetAddress address;
        final long since = System.nanoTime();
        final Nonce challenge;
        final ByteBuffer answer = BulkGreeting.answerBuffer();

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

    /** Work until the server's socket is closed. */
    void run() {
        try (selector) {
            while (server.isOpen()) {
                boolean isFull = isShortOfDescriptors || unproven.size() >= MOST_UNPROVEN;
                isShortOfDescriptors = false; // tried again after the next look
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
            write(connection.socket, BulkGreeting.challenge(connection.challenge));
            connection.socket.register(selector, SelectionKey.OP_READ, connection);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a connection was refused: {0}", e.toString());
            close(connection);
        }
    }

    /** What is written fits into the empty buffer of a new socket. */
    private static void write(SocketChannel socket, ByteBuffer bytes) throws IOException {
        socket.write(bytes);
        if (bytes.hasRemaining()) {
            throw new IOException("the other end takes nothing");
        }
    }

    private void onReadable(SelectionKey key, Unproven connection) throws IOException {
        if (connection.socket.read(connection.answer) < 0) {
            throw new IOException("it was closed before its greeting");
        }
        if (connection.answer.hasRemaining()) {
            return;
        }
        BulkGreeting.Answer answer = BulkGreeting.Answer.decode(connection.answer.flip());
        Peer peer = find(answer, connection.challenge);
        if (peer == null) {
            throw new IOException("it has not proven to be a peer");
        }
        Proof own = answer.proofOfServer(authenticator, peer, connection.challenge);
        write(connection.socket, BulkGreeting.confirmation(own));
        key.cancel();
        unproven.remove(connection);
        admitted.onAdmitted(connection.socket, peer);
    }

    private @Nullable Peer find(BulkGreeting.Answer answer, Nonce challenge) {
        Peer peer = peers.find(answer.id());
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
