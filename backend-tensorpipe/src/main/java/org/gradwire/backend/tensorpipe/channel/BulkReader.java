package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;

/**
 * Reads the large buffers of one peer's messages over TCP, on its own thread, which starts with the
 * first read.
 */
public final class BulkReader implements AutoCloseable {
    /** Error number of a failed connection. */
    static final int BROKEN = 5; // EIO

    private static final Logger LOG = System.getLogger(BulkReader.class.getPackageName());
    private static final int ATTEMPTS = 2; // an idle connection may have been cut

    private final CopyThread thread;
    private final InetAddress own;
    private final InetSocketAddress holder;
    private final BulkAuthenticator reader;
    private final BulkOwner owner;
    private final long timeoutNanos;
    private volatile boolean isClosed;
    private volatile @Nullable BulkChannel channel; // written by the reader's thread

    /**
     * Create a reader; connects with the first read.
     *
     * @param own address of this worker that the peer expects
     * @param holder address of the peer's bulk server
     * @param reader this worker
     * @param owner the peer
     * @param timeoutNanos after which a connection without a transfer is abandoned
     */
    public BulkReader(
            String name,
            InetAddress own,
            InetSocketAddress holder,
            BulkAuthenticator reader,
            BulkOwner owner,
            long timeoutNanos) {
        thread = new CopyThread(name);
        this.own = own;
        this.holder = holder;
        this.reader = reader;
        this.owner = owner;
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * Run a task on the reader's thread soon.
     *
     * @param ifStopped runs instead if the reader is closed before
     */
    public void execute(Runnable read, Runnable ifStopped) {
        thread.execute(read, ifStopped);
    }

    /**
     * Fill native memory with a buffer; on the reader's thread.
     *
     * @param hello challenge of the peer's HELLO
     * @return 0, or an error number
     */
    public int read(Nonce hello, BulkChannel.Request request, MemorySegment to) {
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
                            own, holder, reader, owner, hello, timeoutNanos, () -> !isClosed);
            channel = open;
            if (isClosed) {
                drop(); // close() has missed it
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

    /** Stop reading. For any thread. */
    @Override
    public void close() {
        isClosed = true;
        thread.stop();
        drop();
    }
}
