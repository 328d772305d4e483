package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way to one peer: its log, and what waits for room in it.
 *
 * <p>A thread that sends writes into the log itself when nothing waits that should go first: a
 * message that fits one frame, or the first part of a larger one. What remains is left to the
 * {@link Sender}. Frames of small messages overtake the chunks of large ones; of these, one at a
 * time is on its way. Messages wait until the outbox is {@linkplain #open opened}.
 *
 * <p>All state is guarded by one lock, under which no message is released and no callback called.
 * The publication is an exclusive one: Aeron would share a concurrent one for the same stream among
 * all workers under the driver, and their sessions could not be told apart.
 */
final class Outbox {
    /** Bytes and frames written in one {@link #pump}, after which other peers have their turn. */
    private static final int BYTES_PER_PUMP = 128 * 1024;

    private static final int MIN_FRAMES_PER_PUMP = 8;
    private static final int MAX_FRAMES_PER_PUMP = 128;

    /** Frames of a large message that a thread that sends writes itself. */
    private static final int DIRECT_FRAMES = 5;

    /** Control frames that may wait; they take a few megabytes then. */
    static final int MOST_CONTROLS = 65_536;

    /** Heap that a waiting message takes beside its payload. */
    static final long MESSAGE_HEAP_BYTES = 256;

    /** How often messages are looked for whose time is up, while the log takes nothing. */
    private static final long EXPIRY_INTERVAL_NANOS = 10_000_000;

    private static final int SPINS = 100;

    /** How a {@link #pump} ended; the greater, the more there is to do. */
    enum Pumped {
        /** Nothing waits. */
        EMPTY,
        /** The log takes nothing at the moment. */
        BLOCKED,
        /** Something was written, and more may wait. */
        MORE
    }

    /** Learns of what happens to messages after {@link #send} has returned. */
    interface Events {

        /** Something waits; the sender must be woken. */
        void onWaiting();

        /** A message could not be read and will not arrive. It was released. */
        void onFailed(Outgoing message, RpcException failure);

        /** The log is of no use any more. Called once. */
        void onBroken(String reason);
    }

    private record Failed(Outgoing message, RpcException failure) {}

    // Fair, so that the sender, who comes back at once, does not keep others from it.
    private final ReentrantLock lock = new ReentrantLock(true);
    private final FrameWriter writer;
    private final int framesPerPump;
    private final long queueLimitBytes;
    private final SendBudget heap;
    private final Events events;
    private final ArrayDeque<ControlFrame> controls = new ArrayDeque<>();
    private final ArrayDeque<Outgoing> small = new ArrayDeque<>();
    private final ArrayDeque<Outgoing> large = new ArrayDeque<>();
    private final Map<Long, Outgoing> awaitingRead = new HashMap<>();
    private final List<Outgoing> finished = new ArrayList<>();
    private final List<Failed> failed = new ArrayList<>();
    private volatile long queuedBytes;
    private long queuedHeapBytes;
    private int expiring; // of those that wait
    private long lastExpiryNanos = System.nanoTime() - EXPIRY_INTERVAL_NANOS;
    private final AtomicLong transfers = new AtomicLong();
    private boolean hasNews; // something began to wait
    private boolean isOpen;
    private boolean isClosed;
    private boolean brokenWasTold;

    /**
     * Create one that has no log yet, and lets messages wait until it is opened.
     *
     * @param queueLimitBytes of payloads and buffers that wait
     * @param heap limits the heap of messages that wait, here and for other peers
     */
    Outbox(int maxFrame, long queueLimitBytes, SendBudget heap, Events events) {
        writer = new FrameWriter(maxFrame);
        framesPerPump =
                Math.clamp(BYTES_PER_PUMP / maxFrame, MIN_FRAMES_PER_PUMP, MAX_FRAMES_PER_PUMP);
        this.queueLimitBytes = queueLimitBytes;
        this.heap = heap;
        this.events = events;
    }

    /** Write to a log from now on; closes it when this is closed. As {@link FrameWriter#attach}. */
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

    /** Messages may be written: the greetings are exchanged. */
    void open() {
        lock.lock();
        try {
            isOpen = true;
            hasNews |= !small.isEmpty() || !large.isEmpty();
        } finally {
            lock.unlock();
        }
        settle();
    }

    /** {@return whether the peer's subscription has been seen} */
    boolean isConnected() {
        return writer.isConnected();
    }

    /** {@return a number for a new transfer} */
    long newTransfer() {
        return transfers.incrementAndGet();
    }

    /**
     * Write a message, or let it wait. It is released when it is not needed any more, also when
     * this fails.
     *
     * @throws RpcException when too much waits already, the outbox is closed, or the message's
     *     memory cannot be read
     */
    void send(Outgoing message) {
        boolean isDone = true; // when this fails
        boolean hasAftermath = false;
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
            hasAftermath = hasAftermath();
            lock.unlock();
            if (isDone) {
                message.release();
            }
            if (hasAftermath) {
                settle();
            }
        }
    }

    /**
     * Write a message that has no buffers, and release it, if it fits a frame and may go at once;
     * most small ones do, and so need not be laid out.
     *
     * @return false when nothing was done, and it is to be {@linkplain #send sent} like others
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

    /** {@return whether no message may go, or something waits that goes before any} */
    private boolean mustWait() {
        return !isOpen || !controls.isEmpty() || !small.isEmpty();
    }

    private boolean tryDirectly(Outgoing message) {
        if (mustWait()) {
            return false;
        }
        boolean isSmall = writer.fitsOneFrame(message);
        if (!isSmall && !large.isEmpty()) {
            return false;
        }
        for (int i = 0; i < (isSmall ? 1 : DIRECT_FRAMES); i++) {
            if (!write(message) || message.isWritten()) {
                break;
            }
        }
        writer.tell();
        return message.isWritten();
    }

    /** {@return whether there was room for the message's next frame} */
    private boolean write(Outgoing message) {
        if (!writer.write(message)) {
            return false;
        }
        if (message.isWritten() && message.hasSingleCopies()) {
            awaitingRead.put(message.transfer(), message);
        }
        return true;
    }

    private void enqueue(Outgoing message) {
        if (!message.isStarted()) {
            requireRoomFor(message);
        }
        addToQueue(message);
    }

    private void requireRoomFor(Outgoing message) {
        long bytes = message.bodyLength();
        if (queuedBytes > 0 && queuedBytes + bytes > queueLimitBytes) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes refused: %d bytes wait for this peer already, and %s=%d"
                            .formatted(bytes, queuedBytes, Keys.SEND_QUEUE_BYTES, queueLimitBytes));
        }
        if (queuedHeapBytes > 0 && !heap.hasRoom(queuedHeapBytes, heapBytes(message))) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes refused: messages that wait take %d bytes of heap for this peer and %d for all, of at most %d and %d; wait for answers, or give this worker a larger heap (-Xmx)"
                            .formatted(
                                    bytes,
                                    queuedHeapBytes,
                                    heap.totalBytes(),
                                    heap.peerLimitBytes(),
                                    heap.limitBytes()));
        }
    }

    private static long heapBytes(Outgoing message) {
        return MESSAGE_HEAP_BYTES + message.payloadLength();
    }

    private void addToQueue(Outgoing message) {
        (writer.fitsOneFrame(message) ? small : large).add(message);
        count(message, 1);
        hasNews = true;
    }

    /** Count a message that begins to wait, or, with the sign of -1, that does so no more. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock, read by anyone
    private void count(Outgoing message, int sign) {
        queuedBytes += sign * message.bodyLength();
        queuedHeapBytes += sign * heapBytes(message);
        heap.add(sign * heapBytes(message));
        expiring += message.expires() ? sign : 0;
    }

    private void addToQueue(ControlFrame frame) {
        if (controls.size() == MOST_CONTROLS) {
            writer.giveUp("it does not read: %d answers wait for it".formatted(MOST_CONTROLS));
            return;
        }
        controls.add(frame);
        hasNews = true;
    }

    /**
     * Write a frame that carries no message, or let it wait. A peer that lets too many of them wait
     * is given up.
     */
    void control(ControlFrame frame) {
        boolean hasAftermath;
        lock.lock();
        try {
            if (!isClosed && (!controls.isEmpty() || !writer.write(frame))) {
                addToQueue(frame);
            }
        } finally {
            hasAftermath = hasAftermath();
            lock.unlock();
        }
        if (hasAftermath) {
            settle();
        }
    }

    /** Write a frame if there is room at once, before all that waits. */
    boolean tryControl(ControlFrame frame) {
        lock.lock();
        try {
            return !isClosed && writer.write(frame);
        } finally {
            lock.unlock();
        }
    }

    /** Write some of what waits. */
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
            writer.tell();
            if (result == Pumped.BLOCKED && nowNanos - lastExpiryNanos >= EXPIRY_INTERVAL_NANOS) {
                dropExpired(nowNanos);
            }
            hasNews = false; // the one who would be told is here
            result = isClosed ? Pumped.EMPTY : result;
        } finally {
            lock.unlock();
        }
        settle();
        return result;
    }

    private Pumped pumpOne() {
        ControlFrame control = controls.peek();
        if (control != null) {
            if (!writer.write(control)) {
                return Pumped.BLOCKED;
            }
            controls.remove();
            return Pumped.MORE;
        }
        if (!isOpen) {
            return Pumped.EMPTY;
        }
        ArrayDeque<Outgoing> queue = small.isEmpty() ? large : small;
        Outgoing message = queue.peek();
        return message == null ? Pumped.EMPTY : pumpOne(queue, message);
    }

    private Pumped pumpOne(ArrayDeque<Outgoing> queue, Outgoing message) {
        try {
            if (!write(message)) {
                return Pumped.BLOCKED;
            }
            if (message.isWritten()) {
                removeFromQueue(queue, message);
                if (!message.hasSingleCopies()) {
                    finish(message);
                }
            }
        } catch (RpcException unreadable) {
            abort(message);
            removeFromQueue(queue, message);
            failed.add(new Failed(message, unreadable));
            finish(message);
        }
        return Pumped.MORE;
    }

    private void removeFromQueue(ArrayDeque<Outgoing> queue, Outgoing message) {
        queue.remove(message);
        count(message, -1);
    }

    /** Release the messages that have waited until nobody waits for their answer any more. */
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
        if (expiring > 0) {
            dropExpired(small, nowNanos);
            dropExpired(large, nowNanos);
        }
    }

    private void dropExpired(ArrayDeque<Outgoing> queue, long nowNanos) {
        List<Outgoing> expired = new ArrayList<>();
        queue.removeIf(message -> message.isExpired(nowNanos) && expired.add(message));
        for (Outgoing message : expired) {
            abort(message);
            count(message, -1);
            finish(message);
        }
    }

    /** Release a message, after those have ended that read it over a connection. */
    private void finish(Outgoing message) {
        if (message.end()) {
            finished.add(message);
        }
    }

    private void abort(Outgoing message) {
        if (message.isStarted() && !message.isWritten()) {
            addToQueue(new AbortFrame(message.transfer()));
        }
    }

    /**
     * Take note that the peer has read a message's single copies, or could not read them: then the
     * message is sent again, in chunks.
     */
    void onSingleCopyDone(SingleCopyDoneFrame done) {
        lock.lock();
        try {
            Outgoing message = awaitingRead.remove(done.transfer());
            if (message == null) {
                return;
            }
            if (done.error() == 0) {
                finish(message);
            } else {
                message.restartInChunks(newTransfer());
                addToQueue(message);
            }
        } finally {
            lock.unlock();
        }
        settle();
    }

    /**
     * Keep a message that waits to be read from being released until {@link #endReading}.
     *
     * @return null when there is none of that number
     */
    @Nullable Outgoing beginReading(long transfer) {
        lock.lock();
        try {
            Outgoing message = awaitingRead.get(transfer);
            if (message != null) {
                message.beginReading();
            }
            return message;
        } finally {
            lock.unlock();
        }
    }

    /** A message is read no more. */
    void endReading(Outgoing message) {
        lock.lock();
        try {
            if (message.endReading()) {
                finished.add(message);
            }
        } finally {
            lock.unlock();
        }
        settle();
    }

    /** {@return whether messages wait for the peer to read them} */
    boolean awaitsReading() {
        lock.lock();
        try {
            return !awaitingRead.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    long queuedBytes() {
        return queuedBytes;
    }

    /** {@return when the last frame was written} */
    long lastWriteNanos() {
        return writer.lastWriteNanos();
    }

    /** Close the log, and release all messages that are still here. */
    void close() {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            controls.clear();
            small.forEach(this::finish);
            large.forEach(this::finish);
            awaitingRead.values().forEach(this::finish);
            small.clear();
            large.clear();
            awaitingRead.clear();
            heap.add(-queuedHeapBytes);
            queuedHeapBytes = 0;
            queuedBytes = 0;
            writer.close();
        } finally {
            lock.unlock();
        }
        settle();
    }

    /** Take the lock, if need be after a moment of spinning: it is mostly held for less. */
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

    private boolean hasAftermath() {
        return hasNews || !finished.isEmpty() || !failed.isEmpty() || writer.broken() != null;
    }

    /** Do, without the lock, what the operation before has left to do. */
    private void settle() {
        List<Outgoing> done;
        List<Failed> lost;
        String broken;
        boolean news;
        lock.lock();
        try {
            done = List.copyOf(finished);
            finished.clear();
            lost = List.copyOf(failed);
            failed.clear();
            broken = brokenWasTold || isClosed ? null : writer.broken();
            brokenWasTold |= broken != null;
            news = hasNews;
            hasNews = false;
        } finally {
            lock.unlock();
        }
        if (news) {
            events.onWaiting();
        }
        done.forEach(Outgoing::release);
        for (Failed failure : lost) {
            events.onFailed(failure.message, failure.failure);
        }
        if (broken != null) {
            events.onBroken(broken);
        }
    }
}
