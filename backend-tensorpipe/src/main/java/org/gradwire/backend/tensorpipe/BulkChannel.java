package org.gradwire.backend.tensorpipe;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A TCP connection over which a worker reads large buffers of another one's messages, as it reads
 * them from the other's memory on one host. The reader connects, and both ends prove who they are
 * ({@link BulkGreeting}).
 *
 * <p>Then it asks for one buffer after the other:
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |                          transfer                             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                  length of the buffer in bytes                |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                index among the message's buffers              |
 *  |                          (8 bytes)                            |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * and is answered with eight bytes, 0 or an error number, and after a 0 with the buffer. All
 * numbers are little-endian.
 *
 * <p>Every wait ends: when nobody needs the connection any more, or when nothing has moved for a
 * while, in an {@link IOException}. For one thread; any may close it.
 */
final class BulkChannel implements AutoCloseable {
    private static final int REQUEST_BYTES = 3 * Long.BYTES;
    private static final long PART = 1L << 20;
    private static final long LOOK_MILLIS = 100;
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(2); // tried twice by Linux
    private static final long AWAKE_NANOS = 30_000;

    /**
     * One buffer that is asked for.
     *
     * @param index among the message's buffers
     * @param length in bytes
     */
    record Request(long transfer, long index, long length) {}

    private final SocketChannel socket;
    private final Selector selector;
    private final SelectionKey key;
    private final long patienceNanos;
    private final BooleanSupplier isNeeded;
    private final ByteBuffer words =
            ByteBuffer.allocateDirect(Proof.BYTES).order(FrameHeader.ORDER);

    private BulkChannel(
            SocketChannel socket, Selector selector, long patienceNanos, BooleanSupplier isNeeded)
            throws IOException {
        this.socket = socket;
        this.selector = selector;
        this.patienceNanos = patienceNanos;
        this.isNeeded = isNeeded;
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.configureBlocking(false);
        key = socket.register(selector, 0);
    }

    /**
     * Take a connected socket, which is closed with the channel, or when this fails.
     *
     * @param patienceNanos after which a wait in which nothing moves ends
     * @param isNeeded looked at in every wait
     */
    static BulkChannel over(SocketChannel socket, long patienceNanos, BooleanSupplier isNeeded)
            throws IOException {
        Selector selector = null;
        try {
            selector = Selector.open();
            return new BulkChannel(socket, selector, patienceNanos, isNeeded);
        } catch (IOException e) {
            socket.close();
            if (selector != null) {
                selector.close();
            }
            throw e;
        }
    }

    /**
     * Connect to the owner of buffers, and check that it is the one.
     *
     * @param reader this worker
     * @param server the peer that owns the buffers
     * @param hello challenge of its HELLO
     */
    static BulkChannel connect(
            InetAddress own,
            InetSocketAddress holder,
            BulkAuthenticator reader,
            Authenticator.Party server,
            Nonce hello,
            long patienceNanos,
            BooleanSupplier isNeeded)
            throws IOException {
        BulkChannel channel = over(SocketChannel.open(), patienceNanos, isNeeded);
        try {
            channel.socket.bind(new InetSocketAddress(own, 0));
            channel.connect(holder);
            channel.greet(reader, server, hello);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void connect(InetSocketAddress holder) throws IOException {
        long start = System.nanoTime();
        boolean isConnected = socket.connect(holder);
        while (!isConnected) {
            await(SelectionKey.OP_CONNECT, start, Math.min(patienceNanos, CONNECT_NANOS));
            isConnected = socket.finishConnect();
        }
    }

    private void greet(BulkAuthenticator reader, Authenticator.Party server, Nonce hello)
            throws IOException {
        long start = System.nanoTime();
        readGreeting(words.clear().limit(BulkGreeting.CHALLENGE_BYTES), start);
        Nonce ofServer = BulkGreeting.decodeChallenge(words.flip());
        Nonce ofReader = Nonce.random(new SecureRandom());
        write(BulkGreeting.Answer.to(ofServer, ofReader, hello, reader, server).encode());
        readGreeting(words.clear().limit(Proof.BYTES), start);
        var challenges = new BulkAuthenticator.Challenges(hello, ofServer, ofReader);
        boolean isServer =
                reader.accepts(
                        BulkGreeting.decodeConfirmation(words),
                        BulkAuthenticator.Role.SERVER,
                        server,
                        challenges);
        if (!isServer) {
            throw new IOException("the other end has not proven to be the owner of the buffers");
        }
    }

    /** Read bytes of the greeting, which as a whole takes two seconds at most. */
    private void readGreeting(ByteBuffer bytes, long start) throws IOException {
        while (bytes.hasRemaining()) {
            int count = socket.read(bytes);
            if (count < 0) {
                throw new EOFException("the other worker has closed the connection");
            }
            if (bytes.hasRemaining()) {
                await(SelectionKey.OP_READ, start, Math.min(patienceNanos, CONNECT_NANOS));
            }
        }
    }

    /**
     * Fill a segment with a buffer.
     *
     * @return 0, or the error number that was answered
     */
    int read(Request request, MemorySegment to) throws IOException {
        words.clear().putLong(request.transfer).putLong(request.length).putLong(request.index);
        write(words.flip());
        read(words.clear().limit(Long.BYTES), patienceNanos);
        long error = words.getLong(0);
        for (long at = 0; error == 0 && at < to.byteSize(); at += PART) {
            read(part(to, at), patienceNanos);
        }
        return (int) error;
    }

    // ---- on the owner's side

    /** Wait for the next request, for as long as the connection is needed. */
    Request takeRequest() throws IOException {
        read(words.clear().limit(REQUEST_BYTES), Long.MAX_VALUE);
        words.flip();
        long transfer = words.getLong();
        long length = words.getLong();
        return new Request(transfer, words.getLong(), length);
    }

    /** Answer that there is no such buffer. */
    void refuse() throws IOException {
        write(words.clear().putLong(RemoteMemory.GUARD_MISSING).flip());
    }

    /** Answer with a buffer in native memory, which whoever calls keeps from being released. */
    void answer(MemorySegment buffer) throws IOException {
        write(words.clear().putLong(0).flip());
        MemorySegment memory = NativeMemory.at(buffer.address(), buffer.byteSize());
        for (long at = 0; at < memory.byteSize(); at += PART) {
            write(part(memory, at));
        }
    }

    // ---- on both

    private static ByteBuffer part(MemorySegment memory, long at) {
        return memory.asSlice(at, Math.min(PART, memory.byteSize() - at)).asByteBuffer();
    }

    /** Read, awake for a moment when nothing is there: more of a large buffer comes soon. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint only
    private void read(ByteBuffer bytes, long patience) throws IOException {
        long moved = System.nanoTime();
        while (bytes.hasRemaining()) {
            int count = socket.read(bytes);
            if (count < 0) {
                throw new EOFException("the other worker has closed the connection");
            }
            if (count > 0) {
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved < AWAKE_NANOS) {
                Thread.yield();
            } else {
                await(SelectionKey.OP_READ, moved, patience);
            }
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        long moved = System.nanoTime();
        while (bytes.hasRemaining()) {
            if (socket.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE, moved, patienceNanos);
            } else {
                moved = System.nanoTime();
            }
        }
    }

    private void await(int operation, long sinceNanos, long patience) throws IOException {
        try {
            key.interestOps(operation);
            selector.select(_ -> {}, LOOK_MILLIS);
        } catch (CancelledKeyException | ClosedSelectorException _) {
            throw new AsynchronousCloseException();
        }
        if (!isNeeded.getAsBoolean()) {
            throw new IOException("nobody needs it any more");
        }
        long waited = System.nanoTime() - sinceNanos;
        if (waited > patience) {
            throw new SocketTimeoutException(
                    "nothing moved for %d ms".formatted(waited / 1_000_000));
        }
    }

    @Override
    public void close() {
        try (selector;
                socket) {
            selector.wakeup();
        } catch (IOException _) {
            // nothing is lost: what was written has been answered
        }
    }
}
