package org.gradwire.runtime.store;

import org.gradwire.spi.RateLimitedLog;
import org.gradwire.spi.crypto.X25519;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Accepts connections to the store and admits peers that prove that they know the token, and their
 * identity if workers have certificates. One thread reads all handshakes; a connection without a
 * proof costs a descriptor and some hundred bytes.
 */
final class StoreAcceptor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);
    private static final int BACKLOG = 4096; // the kernel may grant less
    private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(1);

    /**
     * A peer that has proved itself.
     *
     * @param channel in blocking mode
     * @param source as {@link PendingHandshakes#source} names it
     * @param keys of all bytes after the handshake
     * @param certified proof by certificates; null without them
     */
    record Admission(
            SocketChannel channel,
            String source,
            SessionKeys keys,
            @Nullable Certified certified) {}

    /**
     * The proof of both sides by certificates.
     *
     * @param worker the peer
     * @param serverIdentity of this worker, for the peer
     */
    record Certified(CertifiedWorker worker, byte[] serverIdentity) {}

    private final ServerSocketChannel listening;
    private final Selector selector;
    private final StoreSecurity security;
    private final X25519 exchange = X25519.random();
    private final Consumer<Admission> admitted;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("gradwire-store-acceptor").unstarted(this::run);
    private final RateLimitedLog refusals = new RateLimitedLog(LOGGER, LOG_INTERVAL);
    private final RateLimitedLog excess = new RateLimitedLog(LOGGER, LOG_INTERVAL);
    private final RateLimitedLog failures = new RateLimitedLog(LOGGER, LOG_INTERVAL);
    private volatile boolean closed;

    // Confined to the thread.
    private final PendingHandshakes handshakes = new PendingHandshakes();
    private final List<ServerHandshake> proven = new ArrayList<>();
    private long pauseNanos; // after a failure to accept; 0 when there was none
    private long acceptAgain; // when the pause ends

    /**
     * Listen at an address.
     *
     * @param admitted receives a peer that knows the token, before its welcome; runs on the
     *     acceptor's thread and must not block
     */
    static StoreAcceptor start(
            InetSocketAddress address, StoreSecurity security, Consumer<Admission> admitted)
            throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open();
        try {
            listening.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listening.bind(address, BACKLOG);
            listening.configureBlocking(false);
            var acceptor = new StoreAcceptor(listening, Selector.open(), security, admitted);
            acceptor.thread.start();
            return acceptor;
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
    }

    private StoreAcceptor(
            ServerSocketChannel listening,
            Selector selector,
            StoreSecurity security,
            Consumer<Admission> admitted) {
        this.listening = listening;
        this.selector = selector;
        this.security = security;
        this.admitted = admitted;
    }

    private void run() {
        try (selector;
                listening) {
            SelectionKey accepting = listening.register(selector, SelectionKey.OP_ACCEPT);
            while (!closed) {
                turn(accepting);
            }
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.ERROR, "the store admits no more workers", e);
        } finally {
            handshakes.endAll();
            proven.forEach(ServerHandshake::close);
        }
    }

    private void turn(SelectionKey accepting) throws IOException {
        long now = System.nanoTime();
        handshakes.endLate(now);
        boolean pausing = pauseNanos > 0 && now - acceptAgain < 0;
        accepting.interestOps(pausing || handshakes.isFull(now) ? 0 : SelectionKey.OP_ACCEPT);
        select(now, pausing);
        admitProven(); // select has removed their keys
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.equals(accepting)) {
                accept();
            } else if (key.isValid()) {
                advance((ServerHandshake) key.attachment());
            }
        }
        selector.selectedKeys().clear();
    }

    private void select(long now, boolean pausing) throws IOException {
        long nanos = handshakes.nanosToNextEnd(now);
        if (pausing) {
            nanos = Math.min(nanos, acceptAgain - now);
        }
        if (!proven.isEmpty()) {
            selector.selectNow();
        } else if (nanos == Long.MAX_VALUE) {
            selector.select();
        } else {
            selector.select(1 + TimeUnit.NANOSECONDS.toMillis(nanos));
        }
    }

    /** Accept one connection; the next selection reports further ones. */
    private void accept() {
        try {
            SocketChannel channel = listening.accept();
            pauseNanos = 0;
            if (channel != null) {
                begin(channel);
            }
        } catch (IOException e) {
            if (!closed) {
                pauseNanos = Math.clamp(2 * pauseNanos, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
                acceptAgain = System.nanoTime() + pauseNanos;
                failures.log(
                        Level.WARNING,
                        () -> "the store could not accept a connection: " + e.getMessage());
            }
        }
    }

    private void begin(SocketChannel channel) {
        @Nullable ServerHandshake handshake = null;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            var peer = (InetSocketAddress) channel.getRemoteAddress();
            long now = System.nanoTime();
            handshake = new ServerHandshake(channel, peer.getAddress(), security, exchange, now);
            if (handshakes.add(handshake, now)) {
                channel.register(selector, SelectionKey.OP_READ, handshake);
                return;
            }
            String source = handshake.source();
            excess.log(
                    Level.WARNING,
                    () ->
                            "the store closed a connection from %s: too many connections from there have not proved that they know gradwire.authentication-token"
                                    .formatted(source));
        } catch (IOException _) {
            // The peer has closed already.
        }
        if (handshake != null) {
            handshakes.remove(handshake);
        }
        closeQuietly(channel);
    }

    private void advance(ServerHandshake handshake) {
        ServerHandshake.State before = handshake.state();
        ServerHandshake.State state = handshake.advance();
        switch (state) {
            case PROVEN -> {
                handshakes.remove(handshake);
                cancel(handshake);
                proven.add(handshake);
            }
            case ENDED -> {
                handshakes.remove(handshake);
                handshake.close();
            }
            case REFUSED, UNIDENTIFIED, OTHER_VERSION -> {
                if (before != state) {
                    refusals.log(Level.WARNING, () -> refusal(handshake));
                }
            }
            default -> {} // more bytes follow
        }
    }

    private static String refusal(ServerHandshake handshake) {
        return "the store refused a process at %s, which %s"
                .formatted(handshake.address().getHostAddress(), handshake.refusal());
    }

    private void cancel(ServerHandshake handshake) {
        SelectionKey key = handshake.channel().keyFor(selector);
        if (key != null) {
            key.cancel();
        }
    }

    private void admitProven() {
        for (ServerHandshake handshake : proven) {
            try {
                handshake.channel().configureBlocking(true);
                admitted.accept(admission(handshake));
            } catch (IOException
                    | RuntimeException e) { // also if this worker's certificate is unusable
                failures.log(
                        Level.WARNING,
                        () -> "the store could not admit a worker: " + e.getMessage());
                handshake.close();
            }
        }
        proven.clear();
    }

    private static Admission admission(ServerHandshake handshake) {
        CertifiedWorker worker = handshake.worker();
        return new Admission(
                handshake.channel(),
                handshake.source(),
                handshake.keys(),
                worker == null ? null : new Certified(worker, handshake.ownIdentity()));
    }

    /** Stop listening, and end all handshakes. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            // The port is free for the next store after the thread has ended.
            var _ = thread.join(CLOSE_TIME);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    static void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "closing the store: {0}", e.getMessage());
        }
    }
}
