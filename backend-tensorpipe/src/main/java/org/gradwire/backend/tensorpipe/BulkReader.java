package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;

/**
 * Reads the large buffers of one peer's messages over TCP, on a thread of its own, started with the
 * first one.
 */
final class BulkReader implements AutoCloseable {
    /** The error number of a connection that failed. */
    static final int BROKEN = 5; // EIO

    private static final Logger LOG = System.getLogger(BulkReader.class.getPackageName());
    private static final int ATTEMPTS = 2; // a connection may have been cut while it was not used

    private final Copier thread;
    private final InetAddress own;
    private final InetSocketAddress holder;
    private final BulkAuthenticator reader;
    private final Authenticator.Party server;
    private final long patienceNanos;
    private volatile boolean isClosed;
    private volatile @Nullable BulkChannel channel; // used by the thread

    /**
     * Read from a peer.
     *
     * @param own address by which the peer knows this worker
     * @param holder where it gives buffers
     * @param reader this worker
     * @param server the peer
     * @param patienceNanos after which a connection in which nothing moves is given up
     */
    BulkReader(
            String name,
            InetAddress own,
            InetSocketAddress holder,
            BulkAuthenticator reader,
            Authenticator.Party server,
            long patienceNanos) {
        thread = new Copier(name);
        this.own = own;
        this.holder = holder;
        this.reader = reader;
        this.server = server;
        this.patienceNanos = patienceNanos;
    }

    /**
     * Run a task that reads soon.
     *
     * @param ifStopped run in its place when this is closed before
     */
    void execute(Runnable read, Runnable ifStopped) {
        thread.execute(read, ifStopped);
    }

    /**
     * Fill native memory with a buffer; on the own thread.
     *
     * @param hello challenge of the peer's HELLO
     * @return 0, or an error number
     */
    int read(Nonce hello, BulkChannel.Request request, MemorySegment to) {
        for (int i = 0; i < ATTEMPTS && !isClosed; i++) {
            boolean isNew = channel == null;
            try {
                return connected(hello).read(request, to);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "reading a buffer at {0}: {1}", holder, e.toString());
                drop();
                if (isNew) {
                    break;
                }
            }
        }
        return BROKEN;
    }

    private BulkChannel connected(Nonce hello) throws IOException {
        BulkChannel open = channel;
        if (open == null) {
            open =
                    BulkChannel.connect(
                            own, holder, reader, server, hello, patienceNanos, () -> !isClosed);
            channel = open;
            if (isClosed) {
                drop(); // whoever closed this did not see it
                throw new AsynchronousCloseException();
            }
        }
        return open;
    }

    private void drop() {
        BulkChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    /** Read no more. For any thread. */
    @Override
    public void close() {
        isClosed = true;
        thread.stop();
        drop();
    }
}
