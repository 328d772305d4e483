package org.gradwire.runtime;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.WorkerTime;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * Repeats a control message until it is answered, by the policy; no longer than the agent runs and
 * the peer lives. It counts as under way between its attempts too: a group must not end before.
 */
final class Retries {
    private final CallSender sender;
    private final WorkerThreads threads;
    private final WorkerTime time;
    private final ActiveCalls unsent;
    private final BooleanSupplier stopped;
    private final IntPredicate lost;

    Retries(
            CallSender sender,
            WorkerThreads threads,
            WorkerTime time,
            ActiveCalls unsent,
            BooleanSupplier stopped,
            IntPredicate lost) {
        this.sender = sender;
        this.threads = threads;
        this.time = time;
        this.unsent = unsent;
        this.stopped = stopped;
        this.lost = lost;
    }

    CallFuture<Input> send(int to, Message message, Duration timeout, RetryPolicy policy) {
        CallFuture<Input> future = threads.newInlineFuture();
        attempt(to, message, shorter(timeout, policy.attemptTimeout()), policy, 0, future);
        return future;
    }

    /** {@return the time of an attempt; a timeout of zero is one without end} */
    private static Duration shorter(Duration timeout, Duration attemptTimeout) {
        if (attemptTimeout.equals(RetryPolicy.UNBOUNDED)) {
            return timeout;
        }
        return timeout.isZero() || timeout.compareTo(attemptTimeout) > 0 ? attemptTimeout : timeout;
    }

    private void attempt(
            int to,
            Message message,
            Duration timeout,
            RetryPolicy policy,
            int retry,
            CallFuture<Input> future) {
        var copy = new Message(message.type(), message.payload(), message.buffers());
        sender.request(to, copy, timeout)
                .whenEnded((reply, failure) -> {
                    if (failure == null && reply != null) {
                        future.complete(reply);
                    } else if (failure != null) {
                        retry(to, message, timeout, policy, retry + 1, future, failure);
                    }
                });
    }

    private void retry(
            int to,
            Message message,
            Duration timeout,
            RetryPolicy policy,
            int retry,
            CallFuture<Input> future,
            RuntimeException failure) {
        if (stopped.getAsBoolean() || lost.test(to)) {
            future.fail(failure);
        } else if (retry > policy.maxRetries()) {
            future.fail(
                    new RpcException(
                            "The RPC has not succeeded after the specified number of max retries (%d)."
                                    .formatted(policy.maxRetries())));
        } else {
            unsent.begin();
            Runnable again =
                    () -> {
                        try {
                            attempt(to, message, timeout, policy, retry, future);
                        } finally {
                            unsent.end();
                        }
                    };
            var _ = time.schedule(again, policy.delayBefore(retry).toNanos());
        }
    }
}
