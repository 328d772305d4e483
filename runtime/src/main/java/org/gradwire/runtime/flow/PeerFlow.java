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
 * What is under way to one peer: calls that are not answered, and replies that are not sent. Calls
 * of the peer are held back while replies to it wait, so that their results do not pile up.
 *
 * <p>A call for which there is no room waits until others are answered. That alone could end in a
 * deadlock, where the others wait for this one; so the peer is asked meanwhile whether calls wait
 * in line there. If none does, and all has been sent, all of them have begun, and one more may go.
 */
public final class PeerFlow {
    /** About what a call takes besides its message, on either side. */
    private static final long EACH_CALL_BYTES = 1024;

    /** Smaller messages are no matter. */
    private static final long LARGE_BYTES = 64 * 1024;

    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int DOUBLINGS = 6;
    private static final int RESUMED_AT_ONCE = 4;
    private static final long MOST_REPLY_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long ENDLESS_NANOS = Long.MAX_VALUE / 2; // so that a deadline never wraps

    private final Window calls;
    private final Window replies;
    private final FutureHost host;
    private final LineQuestion question;
    private final AtomicInteger unsent = new AtomicInteger(); // large calls
    private final AtomicBoolean asking = new AtomicBoolean();
    private final ConcurrentLinkedQueue<Runnable> held = new ConcurrentLinkedQueue<>();

    /** Asks the peer how many calls wait in line there. */
    @FunctionalInterface
    public interface LineQuestion {

        /**
         * Ask.
         *
         * @param answer gets the number, or -1 when there is no answer; on any thread
         */
        void ask(IntConsumer answer);
    }

    PeerFlow(long limitBytes, FutureHost host, LineQuestion question) {
        calls = new Window(limitBytes);
        replies = new Window(limitBytes);
        this.host = host;
        this.question = question;
    }

    /** {@return what a call counts; to be given to {@link #leave} when it has ended} */
    public static long weight(Message call) {
        return call.byteSize() + EACH_CALL_BYTES;
    }

    /**
     * Enter a call, if need be after a wait.
     *
     * @param timeoutNanos of the call; 0 means never
     * @return what is left of the timeout
     * @throws RpcTimeoutException when there was no room in time
     * @throws RpcException when the thread is interrupted
     */
    public long enter(long weight, long timeoutNanos) {
        if (calls.tryEnter(weight)) {
            return timeoutNanos;
        }
        long deadline = System.nanoTime() + (timeoutNanos == 0 ? ENDLESS_NANOS : timeoutNanos);
        host.beginWait();
        try {
            if (!calls.await(weight, deadline, new Asking())) {
                throw new RpcTimeoutException(PendingCalls.timeoutText(timeoutNanos));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException(
                    RpcErrorKind.CANCELLED,
                    "interrupted while the call waited for room: %d bytes are under way to its callee"
                            .formatted(calls.usedBytes()));
        } finally {
            host.endWait();
        }
        return timeoutNanos == 0 ? 0 : Math.max(1, deadline - System.nanoTime());
    }

    /** A call has ended. */
    public void leave(long weight) {
        calls.leave(weight);
    }

    /** {@return the call to send in the place of one that has entered} */
    public Message outgoing(Message call) {
        if (isSmall(call)) {
            return call; // does not overtake the question
        }
        unsent.incrementAndGet();
        return call.onRelease(unsent::decrementAndGet);
    }

    /** How a call waits. */
    private final class Asking implements Window.Pauses {
        @Override
        public long nanos(int pause) {
            return SHORTEST_PAUSE_NANOS << Math.min(pause, DOUBLINGS);
        }

        @Override
        public void firstWaits() {
            if (unsent.get() == 0 && asking.compareAndSet(false, true)) {
                question.ask(this::answered);
            }
        }

        private void answered(int inLine) {
            asking.set(false);
            if (inLine == 0 && unsent.get() == 0) {
                calls.admitBeyond();
                if (calls.waiting() > 0) {
                    firstWaits();
                }
            }
        }
    }

    /** {@return whether there is room for a reply at once} */
    public boolean tryEnterReply(Message reply) {
        return isSmall(reply) || replies.tryEnter(reply.byteSize());
    }

    /** Wait for room for a reply, within bounds. */
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

    /** {@return the reply to send in the place of one that has entered} */
    public Message outgoingReply(Message reply) {
        long bytes = reply.byteSize();
        return isSmall(reply) ? reply : reply.onRelease(() -> replyLeft(bytes));
    }

    /**
     * Hold a call of the peer back if replies to it wait.
     *
     * @param again begins the call anew; run later, on any thread
     * @return whether it is held
     */
    public boolean hold(Runnable again) {
        if (!repliesWait()) {
            return false;
        }
        held.add(again);
        resume(); // should the last reply have left just now
        return true;
    }

    private boolean repliesWait() {
        return replies.waiting() > 0 || replies.isFull();
    }

    /** Let some go on that were held back, if they may: a call has run, or a reply has left. */
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

    /** {@return bytes of calls under way to the peer} */
    public long callBytes() {
        return calls.usedBytes();
    }

    /** {@return how many calls of the peer are held back} */
    public int heldCalls() {
        return held.size();
    }

    /** {@return how many threads wait to make a call} */
    public int waitingCalls() {
        return calls.waiting();
    }
}
