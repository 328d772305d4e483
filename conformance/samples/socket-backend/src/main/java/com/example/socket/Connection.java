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
 * An authenticated TCP connection, with a reader thread and a writer thread.
 *
 * <p>Each side sends a heartbeat when it is idle; a side that reads nothing for the liveness time
 * considers its peer lost. Time counts only while the reader waits for bytes, not while it
 * processes them.
 */
final class Connection {
    private static final System.Logger LOG = System.getLogger(Connection.class.getPackageName());

    /** The owner of a connection. Called on the connection's threads. */
    interface Owner {

        /**
         * Process a frame.
         *
         * @throws DecodingException if the frame is not allowed here, which ends the connection
         */
        void onFrame(Frame frame);

        /** Handle the end of the connection; called once. */
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
            socket.shutdownOutput(); // the peer reads all frames, then the end of the stream
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
            end("silent for " + session.options().liveness());
        } catch (EOFException _) {
            end("the peer has closed it");
        } catch (IOException e) {
            end("reading failed: " + e.getMessage());
        } catch (DecodingException e) {
            end("the peer sent a malformed frame: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a message could not be delivered", e);
            end("a message could not be delivered: " + e);
        }
    }

    /** {@return why the connection ended} */
    String endReason() {
        return Objects.requireNonNullElse(ended.get(), "this side is closing it");
    }

    /** End the connection at once, and drop queued frames. */
    void end(String reason) {
        if (!ended.compareAndSet(null, reason)) {
            return;
        }
        outbox.discard();
        closeQuietly(socket);
        owner.onEnd(reason);
    }

    /** Accept no more frames; queued ones are still written. */
    void finish() {
        outbox.close();
    }

    /** Wait until queued frames are written, for a limited time. */
    void awaitWritten(Duration most) throws InterruptedException {
        join(writer, most);
    }

    /** Wait until both threads have ended, for a limited time. */
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
