package com.example.socket;

import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A TCP connection that was greeted, with a thread that reads and one that writes.
 *
 * <p>Each side gives a sign of life whenever it has nothing else to say; who reads nothing for the
 * liveness time takes its peer for lost. A peer that is busy with what it read is not: time counts
 * only while this side waits for bytes.
 */
final class Connection {
    private static final System.Logger LOG = System.getLogger(Connection.class.getPackageName());

    /** Whose connection it is. Called on the connection's threads. */
    interface Owner {

        /**
         * Take what the peer says.
         *
         * @throws DecodingException when the peer must not say that; it ends the connection
         */
        void onFrame(Frame frame);

        /** Learn that the connection has ended; called once. */
        void onEnd(String reason);
    }

    private final Socket socket;
    private final Session session;
    private final Owner owner;
    private final Outbox outbox;
    private final Thread reader;
    private final Thread writer;
    private final AtomicReference<@Nullable String> ended = new AtomicReference<>();

    Connection(String peer, Socket socket, Session session, Owner owner) {
        this.socket = socket;
        this.session = session;
        this.owner = owner;
        outbox = new Outbox(peer, session.options().sendQueueBytes());
        reader = session.thread("read-" + peer, this::read);
        writer = session.thread("write-" + peer, this::write);
    }

    void start() {
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) session.options().liveness().toMillis());
            reader.start();
            writer.start();
        } catch (SocketException e) {
            end("it was closed at once: " + e.getMessage());
        }
    }

    /** As {@link Outbox#add}. */
    boolean send(Frame frame, long timeoutNanos) {
        return outbox.add(frame, timeoutNanos);
    }

    long waitingBytes() {
        return outbox.waitingBytes();
    }

    private void write() {
        try {
            var frames = new FrameWriter(socket.getOutputStream());
            for (Frame frame; (frame = outbox.take(session.options().heartbeat())) != null; ) {
                try {
                    frames.write(frame);
                } finally {
                    frame.release();
                }
                if (outbox.isEmpty()) {
                    frames.flush();
                }
                session.counters().onSent(frame);
            }
            frames.flush();
            socket.shutdownOutput(); // the peer reads all of it, then the end
        } catch (IOException e) {
            end("writing failed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end("its writer was interrupted");
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a message could not be written", e);
            end("a message could not be written: " + e);
        }
    }

    private void read() {
        try {
            var frames =
                    new FrameReader(
                            socket.getInputStream(),
                            session.context().allocator(),
                            session.options().maxMessageBytes());
            while (true) {
                Frame frame = frames.next();
                session.counters().onReceived(frame);
                owner.onFrame(frame);
            }
        } catch (SocketTimeoutException _) {
            end("no sign of life for " + session.options().liveness());
        } catch (EOFException _) {
            end("the peer has closed it");
        } catch (IOException e) {
            end("reading failed: " + e.getMessage());
        } catch (DecodingException e) {
            end("the peer sent what makes no sense: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a message could not be handed in", e);
            end("a message could not be handed in: " + e);
        }
    }

    /** {@return why it has ended} */
    String endReason() {
        return Objects.requireNonNullElse(ended.get(), "this side is closing it");
    }

    /** End it at once; what waits is given up. */
    void end(String reason) {
        if (!ended.compareAndSet(null, reason)) {
            return;
        }
        outbox.discard();
        closeQuietly(socket);
        owner.onEnd(reason);
    }

    /** Take nothing more to send; what waits is still written. */
    void finish() {
        outbox.close();
    }

    /** Wait until what waits is written, but no longer than this. */
    void awaitWritten(Duration most) throws InterruptedException {
        join(writer, most);
    }

    /** Wait until both threads have ended, but no longer than this. */
    void awaitEnd(Duration most) throws InterruptedException {
        join(reader, most);
        join(writer, most);
    }

    private static void join(Thread thread, Duration most) throws InterruptedException {
        if (thread != Thread.currentThread() && most.isPositive()) {
            thread.join(most);
        }
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a connection", e);
        }
    }
}
