package org.gradwire.runtime.flow;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.future.FutureHost;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Flow control to one peer: limits the calls without a reply and the unsent replies. While replies
 * wait, further calls of the peer are deferred, so that results do not accumulate. Thread-safe.
 *
 * <p>A call without room waits for the replies to others. To prevent a deadlock, in which the
 * others wait for this one, the sender queries the peer's queue depth meanwhile. If the queue is
 * empty and all calls were sent, all of them run, and one more is admitted.
 */
public final class PeerFlow {
    /** Approximate memory of a call in addition to its message, on either side. */
    private static final long EACH_CALL_BYTES = 1024;

    /** Minimal size of a counted message. */
    private static final long LARGE_BYTES = 64 * 1024;

    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int DOUBLINGS = 6;
    private static final int RESUMED_AT_ONCE = 4;
    private static final long MOST_REPLY_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long ENDLESS_NANOS = Long.MAX_VALUE / 2; // prevents overflow of deadlines

    private final Window calls;
    private final Window replies;
    private final FutureHost host;
    private final QueueDepthQuery query;
    private final AtomicInteger admitted = new AtomicInteger(); // calls without a reply
    private final AtomicInteger unsent = new AtomicInteger(); // large calls
    private final AtomicBoolean asking = new AtomicBoolean();
    private final ConcurrentLinkedQueue<Runnable> held = new ConcurrentLinkedQueue<>();

    /** A query of the peer's queue depth. */
    @FunctionalInterface
    public interface QueueDepthQuery {

        /**
         * Send the query.
         *
         * @param reply receives the number of queued calls, or -1 on failure; on any thread
         */
        void send(IntConsumer reply);
    }

    PeerFlow(long limitBytes, FutureHost host, QueueDepthQuery query) {
        calls = new Window(limitBytes);
        replies = new Window(limitBytes);
        this.host = host;
        this.query = query;
    }

    /** {@return the weight of a call, for {@link #enter} and {@link #leave}} */
    public static long weight(Message call) {
        return call.byteSize() + EACH_CALL_BYTES;
    }

    /**
     * Admit a call, after a wait for room if there is none.
     *
     * @param timeoutNanos of the call; 0 means none
     * @return the rest of the timeout
     * @throws RpcTimeoutException when there was no room in time
     * @throws RpcException when the thread is interrupted
     */
    public long enter(long weight, long timeoutNanos) {
        if (calls.tryEnter(weight)) {
            admitted.incrementAndGet();
            return timeoutNanos;
        }
        long deadline = System.nanoTime() + (timeoutNanos == 0 ? ENDLESS_NANOS : timeoutNanos);
        host.beginWait();
        host.endPolling(); // the reply that makes room may be patient, and a thread linger
        try {
            if (!calls.await(weight, deadline, new Asking())) {
                throw new RpcTimeoutException(PendingCalls.timeoutText(timeoutNanos));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException(
                    RpcErrorKind.CANCELLED,
                    "interrupted while the call waited for room: %d bytes are in flight to its callee"
                            .formatted(calls.usedBytes()));
        } finally {
            host.endWait();
        }
        admitted.incrementAndGet();
        return timeoutNanos == 0 ? 0 : Math.max(1, deadline - System.nanoTime());
    }

    /** Release the room of a call that has ended. */
    public void leave(long weight) {
        admitted.decrementAndGet();
        calls.leave(weight);
    }

    /** {@return the message to send for an admitted call; its release is counted} */
    public Message outgoing(Message call) {
        if (isSmall(call)) {
            return call; // the query does not overtake it
        }
        unsent.incrementAndGet();
        return call.onRelease(unsent::decrementAndGet);
    }

    /** Queries the queue depth while a call waits. */
    private final class Asking implements Window.Pauses {
        @Override
        public long nanos(int pause) {
            return SHORTEST_PAUSE_NANOS << Math.min(pause, DOUBLINGS);
        }

        @Override
        public void firstWaits() {
            if (unsent.get() == 0 && asking.compareAndSet(false, true)) {
                query.send(this::onReply);
            }
        }

        private void onReply(int queued) {
            asking.set(false);
            if (queued == 0 && unsent.get() == 0) {
                calls.admitBeyond();
                if (calls.waiting() > 0) {
                    firstWaits();
                }
            }
        }
    }

    /** Admit a reply; {@return false if it must wait} */
    public boolean tryEnterReply(Message reply) {
        return isSmall(reply) || replies.tryEnter(reply.byteSize());
    }

    /** Admit a reply after a bounded wait. */
    public void enterReply(Message reply) {
        long deadline = System.nanoTime() + MOST_REPLY_WAIT_NANOS;
        try {
            if (replies.await(reply.byteSize(), deadline, Window.Pauses.PLAIN)) {
                return;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        replies.enterBeyond(reply.byteSize());
    }

    /** {@return the message to send for an admitted reply; its release is counted} */
    public Message outgoingReply(Message reply) {
        long bytes = reply.byteSize();
        return isSmall(reply) ? reply : reply.onRelease(() -> replyLeft(bytes));
    }

    /**
     * Defer a call of the peer if replies to the peer wait.
     *
     * @param again restarts the call; runs later, on any thread
     * @return whether it is deferred
     */
    public boolean hold(Runnable again) {
        if (!repliesWait()) {
            return false;
        }
        held.add(again);
        resume(); // the last reply may have left just now
        return true;
    }

    private boolean repliesWait() {
        return replies.waiting() > 0 || replies.isFull();
    }

    /** Resume deferred calls, if there is room, after a call has run or a reply was sent. */
    public void resume() {
        for (int i = 0; i < RESUMED_AT_ONCE && !held.isEmpty() && !repliesWait(); i++) {
            Runnable again = held.poll();
            if (again != null) {
                again.run();
            }
        }
    }

    private void replyLeft(long bytes) {
        replies.leave(bytes);
        resume();
    }

    private static boolean isSmall(Message message) {
        return message.byteSize() < LARGE_BYTES;
    }

    /** {@return the number of calls to the peer that have not ended, sent or not} */
    public int callCount() {
        return admitted.get() + calls.waiting();
    }

    /** {@return bytes of calls in flight to the peer} */
    public long callBytes() {
        return calls.usedBytes();
    }

    /** {@return the number of deferred calls of the peer} */
    public int heldCalls() {
        return held.size();
    }

    /** {@return the number of threads that wait to make a call} */
    public int waitingCalls() {
        return calls.waiting();
    }
}
