package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.profile.CallWatch;
import org.gradwire.runtime.retry.RetryOutcome;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireCodec.DecodedMessage;
import org.gradwire.runtime.wire.WireCodec.Header;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PendingCalls;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Completes the future of a request with the reply, or with the failure. */
final class ReplyCompletion<R extends @Nullable Object> implements RetryOutcome {
    private final Context context;
    private final int peer;
    private final Object subject; // formatted only for a timeout
    private final long timeoutNanos;
    private final CallFuture<R> future;
    private final Function<Input, R> read;
    private CallWatch watch = CallWatch.NONE; // these four set before the request is sent
    private @Nullable Runnable undo;
    private @Nullable PeerFlow flow;
    private long weight;

    /** The parts of the worker that completions need. */
    record Context(
            WireCodec codec,
            Executor threads,
            InFlightCounter outgoing,
            Members members,
            BooleanSupplier hasStopped) {

        static Context of(CallServices services, InFlightCounter outgoing) {
            return new Context(
                    services.codec(),
                    services.threads(),
                    outgoing,
                    services.members(),
                    services.hasStopped());
        }
    }

    /**
     * Create the completion of a request, which counts as in flight from now on.
     *
     * @param subject the called function, or the text that a timeout names instead
     * @param timeoutNanos of the call, of which the agent may get a part; 0 means no timeout
     */
    ReplyCompletion(
            Context context,
            int peer,
            Object subject,
            long timeoutNanos,
            CallFuture<R> future,
            Function<Input, R> read) {
        this.context = context;
        this.peer = peer;
        this.subject = subject;
        this.timeoutNanos = timeoutNanos;
        this.future = future;
        this.read = read;
        context.outgoing.begin();
    }

    /**
     * Set the observers of the end.
     *
     * @param newUndo reverts side effects of the encoding of a request that did not arrive; null
     *     for none
     */
    void observe(CallWatch newWatch, @Nullable Runnable newUndo) {
        watch = newWatch;
        undo = newUndo;
    }

    /** Count the call as in flight to its peer until it ends. */
    void entered(PeerFlow newFlow, long newWeight) {
        flow = newFlow;
        weight = newWeight;
    }

    @Override
    public void onReply(Message reply) {
        if (WireInput.isHeavy(reply)) {
            context.threads.execute(() -> finish(reply, false));
        } else {
            finish(reply, true);
        }
    }

    private void finish(Message reply, boolean onPoller) {
        DecodedMessage message = null;
        R result;
        try {
            message = context.codec.open(peer, reply);
            result = decode(message, onPoller);
        } catch (RuntimeException failure) {
            dropReferences(message);
            fail(failure);
            return;
        } catch (Error failure) {
            dropReferences(message);
            fail(undecodable(failure));
            return;
        }
        try {
            watch.ended(null);
            if (!future.tryComplete(result)) {
                dropReferences(message);
            }
        } finally {
            leave();
        }
    }

    /** Close the references in a result that is dropped. */
    private static void dropReferences(@Nullable DecodedMessage message) {
        if (message != null) {
            message.body().attached(Received.class).forEach(received -> received.rref().close());
        }
    }

    private R decode(DecodedMessage message, boolean onPoller) {
        try {
            if (onPoller) {
                message.body().refuseHeavy();
            }
            if (message.type() == MessageTypes.EXCEPTION) {
                throw requestFailure(message);
            }
            R result = read.apply(message.body());
            readHeaders(message);
            return result;
        } finally {
            message.release();
        }
    }

    /**
     * Convert an error, such as lack of memory, into a failure of the call, so that the thread
     * survives.
     */
    private static RpcException undecodable(Error failure) {
        return new DecodingException("the reply cannot be decoded: " + failure, failure);
    }

    private static void readHeaders(DecodedMessage message) {
        List<Header> headers = message.headers();
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            header.interceptor().onReplyIn(message.body(), header.content());
        }
    }

    private RpcException requestFailure(DecodedMessage message) {
        RpcException failure = FailureCodec.readRequestFailure(message.body());
        if (failure.kind() != RpcErrorKind.REPLY_GONE) {
            undoEncoding();
        }
        return failure;
    }

    @Override
    public void onFailure(RuntimeException failure) {
        onFailure(failure, failure instanceof RpcException e && e.kind() == RpcErrorKind.TIMEOUT);
    }

    @Override
    public void onFailure(RuntimeException failure, boolean mayHaveArrived) {
        if (!mayHaveArrived) {
            undoEncoding();
        }
        fail(
                failure instanceof RpcTimeoutException
                        ? timeout()
                        : isOwnShutdown(failure) ? ownShutdown(failure) : failure);
    }

    /** {@return a timeout that names the function and the peer, which agents do not know} */
    private RpcTimeoutException timeout() {
        return new RpcTimeoutException(
                "%s: %s on %s"
                        .formatted(
                                PendingCalls.timeoutText(timeoutNanos),
                                subject instanceof RemoteFunction function
                                        ? function.schema().name()
                                        : subject,
                                context.members.name(peer)));
    }

    /** {@return whether the peer closed the connection because this worker was shut down} */
    private boolean isOwnShutdown(RuntimeException failure) {
        return failure instanceof RpcException e
                && e.kind() == RpcErrorKind.CONNECTION
                && context.hasStopped.getAsBoolean();
    }

    private static RpcException ownShutdown(RuntimeException failure) {
        return new RpcException(
                RpcErrorKind.SHUTDOWN,
                "the call was pending but RPC is no longer running on this node: "
                        + failure.getMessage());
    }

    private void undoEncoding() {
        if (undo != null) {
            undo.run();
        }
    }

    private void fail(RuntimeException failure) {
        try {
            watch.ended(failure);
            future.tryFail(failure);
        } finally {
            leave();
        }
    }

    /** Stop counting the call, after its future is complete, so that calls of listeners count. */
    private void leave() {
        if (flow != null) {
            flow.leave(weight);
        }
        context.outgoing.end();
    }
}
