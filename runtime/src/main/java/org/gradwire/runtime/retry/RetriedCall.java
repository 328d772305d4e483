package org.gradwire.runtime.retry;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.wire.SharedMessage;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A call that is sent again until its reply arrives: the same bytes under the same id, one attempt
 * at a time, with a delay before each retry. Thread-safe.
 */
public final class RetriedCall implements ReplyHandler {
    private static final long NO_TIMEOUT = Long.MAX_VALUE;

    private final RetriedCalls calls;
    private final WorkerInfo to;
    private final RetryPolicy policy;
    private final long id;
    private final RetryHeader head;
    private final long startNanos;
    private @Nullable Sending sending; // set once, before the first attempt
    private int retries; // these four guarded by this
    private @Nullable Future<?> pause;
    private @Nullable RuntimeException givenUp;
    private boolean ended;
    private volatile boolean mayHaveArrived;
    private volatile boolean isLast; // no time for another attempt

    /**
     * The request and the receiver of its outcome.
     *
     * @param timeoutNanos the timeout of all attempts together; 0 means none
     */
    private record Sending(
            SharedMessage request,
            int type,
            long startNanos,
            long timeoutNanos,
            PeerFlow flow,
            RetryOutcome outcome) {

        long left(long nowNanos) {
            return timeoutNanos == 0 ? NO_TIMEOUT : timeoutNanos - (nowNanos - startNanos);
        }

        RpcTimeoutException timeout() {
            return new RpcTimeoutException(PendingCalls.timeoutText(timeoutNanos));
        }
    }

    RetriedCall(RetriedCalls calls, WorkerInfo to, RetryPolicy policy, long id, RetryHeader head) {
        this.calls = calls;
        this.startNanos = calls.nanoTime();
        this.to = to;
        this.policy = policy;
        this.id = id;
        this.head = head;
    }

    WorkerInfo to() {
        return to;
    }

    public long id() {
        return id;
    }

    /** {@return the header of its requests} */
    public RetryHeader head() {
        return head;
    }

    private Sending sending() {
        return Objects.requireNonNull(sending, "the call has not been sent");
    }

    /** {@return the type of the message, or 0 before there is one} */
    int type() {
        Sending known = sending;
        return known == null ? 0 : known.type;
    }

    /** End the call: its request could not be encoded. */
    public void abandon() {
        calls.ended(this);
    }

    /** Send the request for the first time. */
    public void start(Message request, long timeoutNanos, PeerFlow flow, RetryOutcome outcome) {
        sending =
                new Sending(
                        new SharedMessage(request),
                        request.type(),
                        startNanos,
                        timeoutNanos,
                        flow,
                        outcome);
        attempt();
    }

    private void attempt() {
        Sending now = sending();
        long most = TimeUnit.NANOSECONDS.convert(policy.attemptTimeout());
        long left = Math.max(1, now.left(calls.nanoTime()));
        isLast = left <= most;
        long nanos = Math.min(left, most);
        // The flow counts each attempt until it is sent, rather than the call until its end.
        Message message = now.flow.outgoing(now.request.copy());
        calls.agent().send(to.id(), message, nanos == NO_TIMEOUT ? 0 : nanos, this);
    }

    @Override
    public void onReply(Message reply) {
        if (tryEnd()) {
            sending().outcome.onReply(reply);
        }
    }

    @Override
    public void onFailure(RuntimeException failure) {
        if (kindOf(failure) == RpcErrorKind.TIMEOUT) {
            mayHaveArrived = true;
        }
        RuntimeException verdict = verdict(failure);
        if (verdict != null) {
            fail(verdict);
        }
    }

    /** Schedule another attempt and return null, or return the failure of the call. */
    private synchronized @Nullable RuntimeException verdict(RuntimeException failure) {
        RuntimeException end = finalFailure(failure);
        if (end == null) {
            retries++;
            long nanos = policy.delayBefore(retries).toNanos();
            pause =
                    calls.later(
                            this::retry,
                            Math.max(0, Math.min(nanos, sending().left(calls.nanoTime()))));
        }
        return end;
    }

    private @Nullable RuntimeException finalFailure(RuntimeException failure) {
        RpcErrorKind kind = kindOf(failure);
        if (givenUp != null) {
            return givenUp;
        }
        if (kind == RpcErrorKind.TIMEOUT && isLast) {
            return sending().timeout();
        }
        if (!isTransient(kind)) {
            return failure;
        }
        return retries < policy.maxRetries() ? null : exhausted(kind, failure);
    }

    /** {@return whether another attempt may succeed} */
    private static boolean isTransient(RpcErrorKind kind) {
        return switch (kind) {
            case TIMEOUT, INTENTIONAL_FAILURE, CONNECTION, REFUSED -> true;
            case UNKNOWN, UNDECODABLE, SHUTDOWN, CANCELLED, REPLY_GONE, PERMISSION_DENIED -> false;
        };
    }

    private RuntimeException exhausted(RpcErrorKind kind, RuntimeException failure) {
        String text =
                "The RPC has not succeeded after the specified number of max retries (%d)."
                        .formatted(policy.maxRetries());
        return kind == RpcErrorKind.CONNECTION
                ? new RpcConnectionException(text, failure)
                : new RpcException(mayHaveArrived ? RpcErrorKind.TIMEOUT : kind, text, failure);
    }

    private static RpcErrorKind kindOf(RuntimeException failure) {
        return failure instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN;
    }

    private void retry() {
        synchronized (this) {
            if (pause == null) {
                return; // the call was abandoned
            }
            pause = null;
        }
        RuntimeException obstacle =
                sending().left(calls.nanoTime()) <= 0 ? sending().timeout() : calls.obstacle(this);
        if (obstacle != null) {
            fail(obstacle);
        } else {
            attempt();
        }
    }

    /** Fail the call after the current attempt, or at once if none is in progress. */
    public void giveUp(RuntimeException failure) {
        synchronized (this) {
            if (givenUp == null) {
                givenUp = failure;
            }
            if (pause == null) {
                return;
            }
            var _ = pause.cancel(false);
            pause = null;
        }
        fail(failure);
    }

    private void fail(RuntimeException failure) {
        if (tryEnd()) {
            sending().outcome.onFailure(failure, mayHaveArrived);
        }
    }

    private boolean tryEnd() {
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
        }
        calls.ended(this);
        sending().request.release();
        return true;
    }
}
