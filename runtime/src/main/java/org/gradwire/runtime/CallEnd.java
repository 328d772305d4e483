package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.profile.CallWatch;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireCodec.Header;
import org.gradwire.runtime.wire.WireCodec.Opened;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** The end of a request: completes a future with the reply, or with what went wrong. */
final class CallEnd<R extends @Nullable Object> implements ReplyHandler {
    private final Place place;
    private final int peer;
    private final Object subject; // its text is made for a timeout only
    private final long timeoutNanos;
    private final CallFuture<R> future;
    private final Function<Input, R> read;
    private final @Nullable Runnable undo;
    private final CallWatch watch;
    private @Nullable PeerFlow flow;
    private long weight;

    /**
     * Where requests of a worker end.
     *
     * @param hasStopped whether the worker was shut down
     */
    record Place(
            WireCodec codec,
            Executor threads,
            ActiveCalls active,
            Members members,
            BooleanSupplier hasStopped) {}

    /**
     * Wait for the end of a request, which counts as under way from now on.
     *
     * @param subject what a timeout names: the function that is called, or what else is asked for
     * @param timeoutNanos of the call, of which the agent may be given less; 0 means without end
     * @param undo takes back what encoding the request did elsewhere; null for nothing
     */
    CallEnd(
            Place place,
            int peer,
            Object subject,
            long timeoutNanos,
            CallFuture<R> future,
            Function<Input, R> read,
            @Nullable Runnable undo,
            CallWatch watch) {
        this.place = place;
        this.peer = peer;
        this.subject = subject;
        this.timeoutNanos = timeoutNanos;
        this.future = future;
        this.read = read;
        this.undo = undo;
        this.watch = watch;
        place.active.begin();
    }

    /** The call counts as under way to its peer until it ends. */
    void entered(PeerFlow newFlow, long newWeight) {
        flow = newFlow;
        weight = newWeight;
    }

    @Override
    public void onReply(Message reply) {
        if (WireInput.isHeavy(reply)) {
            place.threads.execute(() -> finish(reply, false));
        } else {
            finish(reply, true);
        }
    }

    private void finish(Message reply, boolean onPoller) {
        Opened opened = null;
        R result;
        try {
            opened = place.codec.open(peer, reply);
            result = decode(opened, onPoller);
        } catch (RuntimeException failure) {
            dropReferences(opened);
            fail(failure);
            return;
        } catch (Error failure) {
            dropReferences(opened);
            fail(undecodable(failure));
            return;
        }
        try {
            watch.ended(null);
            if (!future.tryComplete(result)) {
                dropReferences(opened);
            }
        } finally {
            leave();
        }
    }

    /** Close the references of a result that nobody gets. */
    private static void dropReferences(@Nullable Opened opened) {
        if (opened != null) {
            opened.body().noted(Received.class).forEach(received -> received.rref().close());
        }
    }

    private R decode(Opened opened, boolean onPoller) {
        try {
            if (onPoller) {
                opened.body().refuseHeavy();
            }
            if (opened.type() == MessageTypes.EXCEPTION) {
                throw requestFailure(opened);
            }
            R result = read.apply(opened.body());
            readHeaders(opened);
            return result;
        } finally {
            opened.release();
        }
    }

    /** An error, such as want of memory, ends the call and not the thread. */
    private static RpcException undecodable(Error failure) {
        return new DecodingException("the reply cannot be decoded: " + failure, failure);
    }

    private static void readHeaders(Opened opened) {
        List<Header> headers = opened.headers();
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            header.interceptor().onReplyIn(opened.body(), header.content());
        }
    }

    private RpcException requestFailure(Opened opened) {
        RpcException failure = FailureCodec.readRequestFailure(opened.body());
        if (failure.kind() != RpcErrorKind.ANSWER_GONE) {
            undoEncoding();
        }
        return failure;
    }

    @Override
    public void onFailure(RuntimeException failure) {
        onFailure(failure, failure instanceof RpcException e && e.kind() == RpcErrorKind.TIMEOUT);
    }

    /**
     * As {@link #onFailure(RuntimeException)}.
     *
     * @param mayHaveArrived whether the peer may have the request, and so what it brings
     */
    void onFailure(RuntimeException failure, boolean mayHaveArrived) {
        if (!mayHaveArrived) {
            undoEncoding();
        }
        fail(
                failure instanceof RpcTimeoutException
                        ? timeout()
                        : isOwnEnd(failure) ? ownEnd(failure) : failure);
    }

    /** {@return a timeout that names what was asked of whom, which no agent knows} */
    private RpcTimeoutException timeout() {
        return new RpcTimeoutException(
                "%s: %s on %s"
                        .formatted(
                                PendingCalls.timeoutText(timeoutNanos),
                                subject instanceof RemoteFunction function
                                        ? function.schema().name()
                                        : subject,
                                place.members.name(peer)));
    }

    /** {@return whether a peer is gone only because it has heard of the own end already} */
    private boolean isOwnEnd(RuntimeException failure) {
        return failure instanceof RpcException e
                && e.kind() == RpcErrorKind.CONNECTION
                && place.hasStopped.getAsBoolean();
    }

    private static RpcException ownEnd(RuntimeException failure) {
        return new RpcException(
                RpcErrorKind.SHUTDOWN,
                "the call was under way but RPC is no longer running on this node: "
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

    /**
     * The call counts as ended only when its future is complete, so that what its listeners start
     * counts too.
     */
    private void leave() {
        if (flow != null) {
            flow.leave(weight);
        }
        place.active.end();
    }
}
