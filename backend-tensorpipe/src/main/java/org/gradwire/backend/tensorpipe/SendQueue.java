package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;

import org.gradwire.backend.tensorpipe.channel.BulkPeer;
import org.gradwire.backend.tensorpipe.frame.AbortFrame;
import org.gradwire.backend.tensorpipe.frame.ControlFrame;
import org.gradwire.backend.tensorpipe.frame.SingleCopyDoneFrame;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends frames and messages to one peer: writes them to its log, or queues them until there is
 * room.
 *
 * <p>If no earlier frame waits, the calling thread itself writes into the log: a message that fits
 * one frame, or the first part of a larger one. The {@link Sender} writes the rest. Frames of small
 * messages overtake the chunks of large ones; large messages are written one at a time. Messages
 * wait until the queue is {@linkplain #open opened}.
 *
 * <p>Thread-safe: one lock guards all state. No message is released and no event reported under it.
 * The publication is exclusive: Aeron would share a concurrent one for the same stream among all
 * workers under the driver, whose sessions could not be distinguished then.
 */
final class SendQueue {
    /** Bytes written in one {@link #pump}, before other peers are served. */
    private static final int BYTES_PER_PUMP = 128 * 1024;

    private static final int MIN_FRAMES_PER_PUMP = 8;
    private static final int MAX_FRAMES_PER_PUMP = 128;

    /** Frames of a large message that the calling thread writes itself. */
    private static final int DIRECT_FRAMES = 5;

    /** Interval of checks for expired messages while the log is full. */
    private static final long EXPIRY_INTERVAL_NANOS = 10_000_000;

    private static final int SPINS = 100;

    /** The result of a {@link #pump}, in ascending order of remaining work. */
    enum Pumped {
        /** Nothing waits. */
        EMPTY,
        /** The log is full. */
        BLOCKED,
        /** Frames were written, and more may wait. */
        MORE
    }

    /** Receives events that occur after {@link #send} has returned. */
    interface Events {

        /** A frame waits; the sender must be woken. */
        void onWaiting();

        /** A message could not be read and will not arrive. It was released. */
        void onFailed(OutboundMessage message, RpcException failure);

        /** The log has become unusable. Called once. */
        void onBroken(String reason);
    }

    // Fair, so that the sender, which reacquires it at once, does not starve other threads.
    private final ReentrantLock lock = new ReentrantLock(true);
    private final FrameWriter writer;
    private final SendBacklog backlog;
    private final Events events;
    private final SendOutcomes outcomes = new SendOutcomes();
    private final int framesPerPump;
    private final Map<Long, OutboundMessage> awaitingRead = new HashMap<>();
    private final AtomicLong transfers = new AtomicLong();
    private long lastExpiryNanos = System.nanoTime() - EXPIRY_INTERVAL_NANOS;
    private boolean isOpen;
    private boolean isClosed;

    /**
     * Create a queue without a log, in which messages wait until it is opened.
     *
     * @param limitBytes of payloads and buffers that wait
     * @param heap limits the heap of waiting messages, of this and of other peers
     */
    SendQueue(int maxFrame, long limitBytes, SendBudget heap, Events events) {
        writer = new FrameWriter(maxFrame);
        backlog = new SendBacklog(limitBytes, heap);
        framesPerPump =
                Math.clamp(BYTES_PER_PUMP / maxFrame, MIN_FRAMES_PER_PUMP, MAX_FRAMES_PER_PUMP);
        this.events = events;
    }

    /** Attach the log, which {@link #close} closes; see {@link FrameWriter#attach}. */
    void attach(
            ExclusivePublication log,
            @Nullable Doorbell readersBell,
            @Nullable Doorbell limitersBell) {
        lock.lock();
        try {
            writer.attach(log, readersBell, limitersBell);
            if (isClosed) {
                writer.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Begin to write messages: the handshake is complete. */
    void open() {
        lock.lock();
        try {
            isOpen = true;
            if (backlog.hasMessages()) {
                outcomes.onWaiting();
            }
        } finally {
            lock.unlock();
        }
        settle();
    }

    /** {@return whether the log is connected to the peer's subscription} */
    boolean isConnected() {
        return writer.isConnected();
    }

    /** {@return a number for a new transfer} */
    long newTransfer() {
        return transfers.incrementAndGet();
    }

    /**
     * Write a message, or queue it. It is released after its last use, also on failure.
     *
     * @throws RpcException if a limit is exceeded, the queue is closed, or the message's memory
     *     cannot be read
     */
    void send(OutboundMessage message) {
        boolean isDone = true; // on failure
        boolean needsSettling = false;
        acquire();
        try {
            requireOpen();
            if (!tryDirectly(message)) {
                enqueue(message);
                isDone = false;
            } else {
                isDone = !message.hasSingleCopies();
            }
        } catch (RpcException unreadable) {
            abort(message);
            throw unreadable;
        } finally {
            needsSettling = needsSettling();
            lock.unlock();
            if (isDone) {
                message.release();
            }
            if (needsSettling) {
                settle();
            }
        }
    }

    /**
     * Write a message without buffers and release it, if it fits a frame and nothing precedes it.
     * Most small messages take this path, without an {@link OutboundMessage}.
     *
     * @return false if nothing was done; then {@link #send} the message
     */
    boolean trySend(Message message, long id) {
        acquire();
        try {
            if (isClosed || mustWait() || !writer.write(id, message.type(), message.payload())) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        message.release();
        return true;
    }

    private boolean mustWait() {
        return !isOpen || backlog.precedesSmall();
    }

    private boolean tryDirectly(OutboundMessage message) {
        if (mustWait()) {
            return false;
        }
        boolean isSmall = writer.fitsOneFrame(message);
        if (!isSmall && backlog.hasLarge()) {
            return false;
        }
        for (int i = 0; i < (isSmall ? 1 : DIRECT_FRAMES); i++) {
            if (!write(message) || message.isWritten()) {
                break;
            }
        }
        writer.ringForChunks();
        return message.isWritten();
    }

    /** {@return whether there was room for the message's next frame} */
    private boolean write(OutboundMessage message) {
        if (!writer.write(message)) {
            return false;
        }
        if (message.isWritten() && message.hasSingleCopies()) {
            awaitingRead.put(message.transfer(), message);
        }
        return true;
    }

    private void enqueue(OutboundMessage message) {
        if (!message.isStarted()) {
            backlog.requireRoomFor(message);
        }
        addToBacklog(message);
    }

    private void addToBacklog(OutboundMessage message) {
        backlog.add(message, writer.fitsOneFrame(message));
        outcomes.onWaiting();
    }

    private void addToBacklog(ControlFrame frame) {
        if (backlog.add(frame)) {
            outcomes.onWaiting();
        } else {
            writer.giveUp(
                    "it does not read: %d replies wait for it"
                            .formatted(SendBacklog.MOST_CONTROLS));
        }
    }

    /**
     * Write a control frame, or queue it. If too many wait, the connection to the peer is closed.
     */
    void control(ControlFrame frame) {
        boolean needsSettling;
        lock.lock();
        try {
            if (!isClosed && (backlog.hasControls() || !writer.write(frame))) {
                addToBacklog(frame);
            }
        } finally {
            needsSettling = needsSettling();
            lock.unlock();
        }
        if (needsSettling) {
            settle();
        }
    }

    /**
     * Write a control frame ahead of all waiting frames, if there is room; {@return whether it was
     * written}
     */
    boolean tryControl(ControlFrame frame) {
        lock.lock();
        try {
            return !isClosed && writer.write(frame);
        } finally {
            lock.unlock();
        }
    }

    /** Write some waiting frames. For the sender. */
    Pumped pump(long nowNanos) {
        Pumped result = Pumped.MORE;
        lock.lock();
        try {
            for (int i = 0; i < framesPerPump && result == Pumped.MORE && !isClosed; i++) {
                result = pumpOne();
                if (lock.hasQueuedThreads()) {
                    break;
                }
            }
            writer.ringForChunks();
            if (result == Pumped.BLOCKED && nowNanos - lastExpiryNanos >= EXPIRY_INTERVAL_NANOS) {
                dropExpired(nowNanos);
            }
            outcomes.onPumped();
            result = isClosed ? Pumped.EMPTY : result;
        } finally {
            lock.unlock();
        }
        settle();
        return result;
    }

    private Pumped pumpOne() {
        ControlFrame control = backlog.firstControl();
        if (control != null) {
            if (!writer.write(control)) {
                return Pumped.BLOCKED;
            }
            backlog.removeFirstControl();
            return Pumped.MORE;
        }
        OutboundMessage message = isOpen ? backlog.firstMessage() : null;
        return message == null ? Pumped.EMPTY : pumpOne(message);
    }

    private Pumped pumpOne(OutboundMessage message) {
        try {
            if (!write(message)) {
                return Pumped.BLOCKED;
            }
            if (message.isWritten()) {
                backlog.removeFirstMessage();
                if (!message.hasSingleCopies()) {
                    outcomes.onFinished(message);
                }
            }
        } catch (RpcException unreadable) {
            backlog.removeFirstMessage();
            abort(message);
            outcomes.onFailed(message, unreadable);
        }
        return Pumped.MORE;
    }

    /** Release the queued messages whose call has timed out. */
    void expire(long nowNanos) {
        lock.lock();
        try {
            dropExpired(nowNanos);
        } finally {
            lock.unlock();
        }
        settle();
    }

    private void dropExpired(long nowNanos) {
        lastExpiryNanos = nowNanos;
        for (OutboundMessage message : backlog.removeExpired(nowNanos)) {
            abort(message);
            outcomes.onFinished(message);
        }
    }

    private void abort(OutboundMessage message) {
        if (message.isStarted() && !message.isWritten()) {
            addToBacklog(new AbortFrame(message.transfer()));
        }
    }

    /**
     * Handle the peer's report that it has read a message's single copies, or could not: the
     * message is then sent again, in chunks.
     */
    void onSingleCopyDone(SingleCopyDoneFrame done) {
        lock.lock();
        try {
            OutboundMessage message = awaitingRead.remove(done.transfer());
            if (message == null) {
                return;
            }
            if (done.error() == 0) {
                outcomes.onFinished(message);
            } else {
                message.restartInChunks(newTransfer());
                addToBacklog(message);
            }
        } finally {
            lock.unlock();
        }
        settle();
    }

    /**
     * Lease a buffer of a message that awaits its read. The message is not released before the
     * lease is closed.
     *
     * @return null if there is no such message or buffer
     */
    BulkPeer.@Nullable Lease lease(long transfer, long index, long length) {
        lock.lock();
        try {
            OutboundMessage message = awaitingRead.get(transfer);
            MemorySegment buffer = message == null ? null : message.remoteBuffer(index, length);
            if (message == null || buffer == null) {
                return null;
            }
            message.beginReading();
            return new ReadLease(message, buffer);
        } finally {
            lock.unlock();
        }
    }

    private final class ReadLease implements BulkPeer.Lease {
        private final OutboundMessage message;
        private final MemorySegment buffer;

        ReadLease(OutboundMessage message, MemorySegment buffer) {
            this.message = message;
            this.buffer = buffer;
        }

        @Override
        public MemorySegment buffer() {
            return buffer;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (message.endReading()) {
                    outcomes.onRead(message);
                }
            } finally {
                lock.unlock();
            }
            settle();
        }
    }

    /** {@return whether messages wait to be read by the peer} */
    boolean awaitsReading() {
        lock.lock();
        try {
            return !awaitingRead.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    long queuedBytes() {
        return backlog.bytes();
    }

    /** {@return the time of the last write} */
    long lastWriteNanos() {
        return writer.lastWriteNanos();
    }

    /** Close the log, and release all messages. */
    void close() {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            backlog.removeAll().forEach(outcomes::onFinished);
            awaitingRead.values().forEach(outcomes::onFinished);
            awaitingRead.clear();
            writer.close();
        } finally {
            lock.unlock();
        }
        settle();
    }

    /** Acquire the lock; spin first, since it is mostly held briefly. */
    private void acquire() {
        for (int i = 0; i < SPINS; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    private void requireOpen() {
        if (isClosed) {
            throw new RpcException(RpcErrorKind.CONNECTION, "the connection is closed");
        }
    }

    private boolean needsSettling() {
        return outcomes.isPending() || writer.broken() != null;
    }

    /** Run the actions of the last operation, without the lock. */
    private void settle() {
        Runnable actions;
        lock.lock();
        try {
            if (!needsSettling()) {
                return;
            }
            actions = outcomes.take(events, isClosed ? null : writer.broken());
        } finally {
            lock.unlock();
        }
        actions.run();
    }
}
