package org.gradwire.runtime.call;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.retry.RetriedCalls;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.Output;
import org.gradwire.spi.WorkerTime;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Sends a control message repeatedly until its reply arrives, by its policy, unless the worker
 * stops or the peer is lost. A message counts as unsent between its attempts: the group must not
 * end before it is sent.
 */
public final class ControlRetrier implements RetriedCalls.Control {
    private final CallServices services;
    private final RequestSender requests;
    private final RpcTimeout timeout;
    private final WorkerTime time;
    private final InFlightCounter unsent;

    public ControlRetrier(
            CallServices services,
            RequestSender requests,
            RpcTimeout timeout,
            WorkerTime time,
            InFlightCounter unsent) {
        this.services = services;
        this.requests = requests;
        this.timeout = timeout;
        this.time = time;
        this.unsent = unsent;
    }

    /** A message and its attempts. */
    private record Attempts(
            int to,
            Message message,
            Duration timeout,
            RetryPolicy policy,
            CallFuture<Input> future) {

        /** {@return the message for one attempt, which its receiver releases} */
        Message copy() {
            return new Message(message.type(), message.payload(), message.buffers());
        }
    }

    @Override
    public CallFuture<Input> send(int to, int type, Consumer<Output> body, RetryPolicy policy) {
        CallFuture<Input> future = services.threads().newInlineFuture();
        Duration each = shorter(timeout.get(), policy.attemptTimeout());
        attempt(new Attempts(to, requests.message(to, type, body), each, policy, future), 0);
        return future;
    }

    /** {@return the timeout of an attempt; zero means none} */
    private static Duration shorter(Duration timeout, Duration attemptTimeout) {
        if (attemptTimeout.equals(RetryPolicy.UNBOUNDED)) {
            return timeout;
        }
        return timeout.isZero() || timeout.compareTo(attemptTimeout) > 0 ? attemptTimeout : timeout;
    }

    private void attempt(Attempts attempts, int retry) {
        requests.request(attempts.to, attempts.copy(), attempts.timeout)
                .whenEnded((reply, failure) -> {
                    if (failure == null && reply != null) {
                        attempts.future.complete(reply);
                    } else if (failure != null) {
                        retry(attempts, retry + 1, failure);
                    }
                });
    }

    private void retry(Attempts attempts, int retry, RuntimeException failure) {
        if (services.hasStopped().getAsBoolean() || services.members().isLost(attempts.to)) {
            attempts.future.fail(failure);
        } else if (retry > attempts.policy.maxRetries()) {
            attempts.future.fail(
                    new RpcException(
                            "The RPC has not succeeded after the specified number of max retries (%d)."
                                    .formatted(attempts.policy.maxRetries())));
        } else {
            unsent.begin();
            Runnable again =
                    () -> {
                        try {
                            attempt(attempts, retry);
                        } finally {
                            unsent.end();
                        }
                    };
            var _ = time.schedule(again, attempts.policy.delayBefore(retry).toNanos());
        }
    }
}
