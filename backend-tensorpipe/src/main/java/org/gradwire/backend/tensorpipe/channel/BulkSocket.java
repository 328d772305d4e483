package org.gradwire.backend.tensorpipe.channel;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The socket of a bulk connection, whose waits end with an {@link IOException} when the connection
 * is no longer needed or nothing has been transferred for a while.
 *
 * <p>For one thread; any thread may close it.
 */
final class BulkSocket implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(2); // tried twice by Linux
    private static final long AWAKE_NANOS = 30_000;

    private final SocketChannel socket;
    private final Selector selector;
    private final SelectionKey key;
    private final long timeoutNanos;
    private final BooleanSupplier isNeeded;

    private BulkSocket(
            SocketChannel socket, Selector selector, long timeoutNanos, BooleanSupplier isNeeded)
            throws IOException {
        this.socket = socket;
        this.selector = selector;
        this.timeoutNanos = timeoutNanos;
        this.isNeeded = isNeeded;
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.configureBlocking(false);
        key = socket.register(selector, 0);
    }

    /**
     * Take a socket, which is closed with this one or when this fails.
     *
     * @param timeoutNanos after which a wait without a transfer ends
     * @param isNeeded checked during every wait
     */
    static BulkSocket over(SocketChannel socket, long timeoutNanos, BooleanSupplier isNeeded)
            throws IOException {
        Selector selector = null;
        try {
            selector = Selector.open();
            return new BulkSocket(socket, selector, timeoutNanos, isNeeded);
        } catch (IOException e) {
            socket.close();
            if (selector != null) {
                selector.close();
            }
            throw e;
        }
    }

    /** Connect from an address of this host. */
    void connect(InetAddress own, InetSocketAddress holder) throws IOException {
        socket.bind(new InetSocketAddress(own, 0));
        long start = System.nanoTime();
        boolean isConnected = socket.connect(holder);
        while (!isConnected) {
            await(SelectionKey.OP_CONNECT, start, Math.min(timeoutNanos, CONNECT_NANOS));
            isConnected = socket.finishConnect();
        }
    }

    /**
     * Receive a part of the handshake, which takes two seconds at most.
     *
     * @param start of the handshake
     */
    void receiveHandshake(ByteBuffer bytes, long start) throws IOException {
        while (bytes.hasRemaining()) {
            requireOpen(socket.read(bytes));
            if (bytes.hasRemaining()) {
                await(SelectionKey.OP_READ, start, Math.min(timeoutNanos, CONNECT_NANOS));
            }
        }
    }

    /** Receive, within the transfer timeout of this socket. */
    void receive(ByteBuffer bytes) throws IOException {
        receive(bytes, timeoutNanos);
    }

    /** Receive; spins for a moment without data, since more of a large buffer arrives soon. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint only
    void receive(ByteBuffer bytes, long limitNanos) throws IOException {
        long moved = System.nanoTime();
        while (bytes.hasRemaining()) {
            int count = requireOpen(socket.read(bytes));
            if (count > 0) {
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved < AWAKE_NANOS) {
                Thread.yield();
            } else {
                await(SelectionKey.OP_READ, moved, limitNanos);
            }
        }
    }

    private static int requireOpen(int count) throws EOFException {
        if (count < 0) {
            throw new EOFException("the other worker has closed the connection");
        }
        return count;
    }

    /** Send all bytes. */
    void send(ByteBuffer bytes) throws IOException {
        long moved = System.nanoTime();
        while (bytes.hasRemaining()) {
            if (socket.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE, moved, timeoutNanos);
            } else {
                moved = System.nanoTime();
            }
        }
    }

    private void await(int operation, long sinceNanos, long limitNanos) throws IOException {
        try {
            key.interestOps(operation);
            selector.select(_ -> {}, LOOK_MILLIS);
        } catch (CancelledKeyException | ClosedSelectorException _) {
            throw new AsynchronousCloseException();
        }
        if (!isNeeded.getAsBoolean()) {
            throw new IOException("the connection is no longer needed");
        }
        long waited = System.nanoTime() - sinceNanos;
        if (waited > limitNanos) {
            throw new SocketTimeoutException(
                    "nothing was transferred for %d ms".formatted(waited / 1_000_000));
        }
    }

    @Override
    public void close() {
        try (selector;
                socket) {
            selector.wakeup();
        } catch (IOException _) {
            // nothing is lost: every request was answered
        }
    }
}
