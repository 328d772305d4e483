package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.MessageFactory.Sealed;
import org.gradwire.runtime.flow.Flows;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.profile.CallMode;
import org.gradwire.runtime.profile.CallWatch;
import org.gradwire.runtime.profile.CallWatcher;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.rref.RRefType;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireCodec.Header;
import org.gradwire.runtime.wire.WireCodec.Opened;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes the calls of a worker: encodes them on the caller's thread, and completes their futures
 * when the replies come.
 */
final class CallSender {
    private static final Duration LINE_TIMEOUT = Duration.ofSeconds(10);

    private final FunctionTable functions;
    private final WireCodec codec;
    private final MessageFactory messages;
    private final WorkerThreads threads;
    private final RRefContext rrefs;
    private final RpcAgent agent;
    private final ActiveCalls active;
    private final AtomicLong nextCallId = new AtomicLong();
    private final CallWatcher watcher;
    private final Flows flows;
    private final UdfCodecs udfCodecs;
    private final ProfiledCreations creations = new ProfiledCreations();

    CallSender(
            FunctionTable functions,
            WireCodec codec,
            WorkerThreads threads,
            RRefContext rrefs,
            RpcAgent agent,
            ActiveCalls active,
            CallWatcher watcher,
            long windowBytes,
            UdfCodecs udfCodecs) {
        this.functions = functions;
        this.codec = codec;
        this.messages = new MessageFactory(codec);
        this.threads = threads;
        this.rrefs = rrefs;
        this.agent = agent;
        this.active = active;
        this.watcher = watcher;
        this.udfCodecs = udfCodecs;
        this.flows = new Flows(windowBytes, threads, this::askLine);
    }

    /** {@return what is under way to each of the peers} */
    Flows flows() {
        return flows;
    }

    private PeerFlow.LineQuestion askLine(int peer) {
        return answer ->
                request(peer, MessageTypes.LINE_REQ, _ -> {}, LINE_TIMEOUT)
                        .whenEnded((in, _) -> answer.accept(in == null ? -1 : in.readInt()));
    }

    private BoundCall bind(Call<?> call, @Nullable RRef<?> referent) {
        return BoundCall.of(functions, call, referent, codec.values()::isBindable, udfCodecs);
    }

    /**
     * Call a function.
     *
     * @param referent reference to the value whose method it is; null for any other function
     */
    <R extends @Nullable Object> CallFuture<R> call(
            CallMode mode,
            WorkerInfo to,
            Call<R> call,
            @Nullable RRef<?> referent,
            Duration timeout) {
        BoundCall bound = bind(call, referent);
        FunctionKind kind = bound.function().kind();
        // Who waits for the result at once has no future to cancel.
        boolean mayCancel = mode == CallMode.ASYNC && kind != FunctionKind.BUILTIN;
        long id = mayCancel ? nextCallId.getAndIncrement() : CallBody.NO_ID;
        CallWatch watch = begin(mode, bound, to);
        Sealed request =
                seal(
                        watch,
                        to,
                        kind.callType(),
                        kind != FunctionKind.BUILTIN,
                        out -> CallBody.writeCall(bound, id, out));
        CallFuture<R> future = threads.newFuture();
        if (id != CallBody.NO_ID) {
            future.whenCancelled(() -> cancel(to.id(), id, timeout));
        }
        send(to, request, timeout, future, in -> CallSender.<R>result(bound, in), watch);
        return future;
    }

    /** Tell a callee that nobody waits for a call any more; best effort. */
    private void cancel(int callee, long id, Duration timeout) {
        request(callee, MessageTypes.CANCEL_REQ, out -> out.writeLong(id), timeout);
    }

    private CallWatch begin(CallMode mode, BoundCall call, WorkerInfo to) {
        return watcher.begin(mode, ScriptRunner::inScript, call.function().schema(), to);
    }

    private Sealed seal(
            CallWatch watch, WorkerInfo to, int type, boolean contextual, Consumer<Output> body) {
        try {
            return messages.request(to.id(), type, contextual, body);
        } catch (Throwable failure) {
            watch.ended(failure);
            throw failure;
        } finally {
            watch.encoded();
        }
    }

    @SuppressWarnings({
        "unchecked",
        "NullAway",
        "TypeParameterUnusedInFormals"
    }) // javac checked the function's type
    private static <R extends @Nullable Object> R result(BoundCall call, Input in) {
        return (R) CallBody.readResult(call, in);
    }

    /**
     * Call a function and leave its result on the callee.
     *
     * @param referent reference to the value whose method it is; null for any other function
     */
    <R extends @Nullable Object> RRef<R> remote(
            WorkerInfo to, Call<R> call, @Nullable RRef<?> referent, Duration timeout) {
        BoundCall bound = bind(call, referent);
        FunctionKind kind = bound.function().kind();
        var type = RRefType.madeBy(kind, bound.function());
        var creation = new AtomicReference<RRefContext.@Nullable Creation<R>>();
        CallWatch watch = begin(CallMode.REMOTE, bound, to);
        Sealed request =
                seal(
                        watch,
                        to,
                        kind.remoteCallType(),
                        kind != FunctionKind.BUILTIN,
                        out -> {
                            CallBody.writeCall(bound, CallBody.NO_ID, out);
                            // Only now, since arguments that cannot be sent must leave no reference
                            // behind.
                            RRefContext.Creation<R> entered = rrefs.create(to, type);
                            creation.set(entered);
                            entered.rrefId().write(out);
                            entered.forkId().write(out);
                        });
        RRefContext.Creation<R> created = Objects.requireNonNull(creation.get());
        CallFuture<@Nullable Void> ended = threads.newInlineFuture();
        ended.whenEnded((_, failure) -> rrefs.creationEnded(created, failure));
        if (watch.expectsEvents()) {
            creations.add(created.rrefId(), ended);
        }
        send(to, request, timeout, ended, _ -> null, watch);
        return created.rref();
    }

    CallFuture<@Nullable Object> fetch(
            WorkerInfo owner, GloballyUniqueId rrefId, RRefType type, Duration timeout) {
        CallWatch watch = watcher.beginFetch(owner);
        Sealed request =
                seal(
                        watch,
                        owner,
                        type.kind().fetchType(),
                        true,
                        out -> {
                            rrefId.write(out);
                            out.writeString(type.name());
                            out.writeInt(type.kind().code());
                        });
        CallFuture<@Nullable Object> future = threads.newFuture();
        send(owner, request, timeout, creations.before(rrefId, future), CallBody::readValue, watch);
        return future;
    }

    /** Send a request of an extension. */
    CallFuture<Input> request(int to, int type, Consumer<Output> body, Duration timeout) {
        return request(to, messages.plain(to, type, body), timeout);
    }

    Message plain(int to, int type, Consumer<Output> body) {
        return messages.plain(to, type, body);
    }

    CallFuture<Input> request(int to, Message message, Duration timeout) {
        CallFuture<Input> future = threads.newInlineFuture();
        active.begin();
        agent.send(
                to,
                message,
                timeout.toNanos(),
                new Handler<>(to, future, in -> in, null, CallWatch.NONE));
        return future;
    }

    /** Send a call, or the fetch of a value, when there is room for it. */
    private <R extends @Nullable Object> void send(
            WorkerInfo to,
            Sealed request,
            Duration timeout,
            CallFuture<R> future,
            Function<Input, R> read,
            CallWatch watch) {
        active.begin();
        Message message = request.message();
        PeerFlow flow = flows.to(to.id());
        long weight = PeerFlow.weight(message);
        var handler = new Handler<>(to.id(), future, read, request.undo(), watch);
        long left;
        try {
            left = flow.enter(weight, timeout.toNanos());
        } catch (RpcException noRoom) {
            message.release();
            handler.undoEncoding();
            handler.onFailure(noRoom);
            return;
        }
        handler.entered(flow, weight);
        agent.send(to.id(), flow.outgoing(message), left, handler);
    }

    /** Completes a future with a reply. */
    private final class Handler<R extends @Nullable Object> implements ReplyHandler {
        private final int peer;
        private final CallFuture<R> future;
        private final Function<Input, R> read;
        private final @Nullable Runnable undo;
        private final CallWatch watch;
        private @Nullable PeerFlow flow;
        private long weight;

        Handler(
                int peer,
                CallFuture<R> future,
                Function<Input, R> read,
                @Nullable Runnable undo,
                CallWatch watch) {
            this.peer = peer;
            this.future = future;
            this.read = read;
            this.undo = undo;
            this.watch = watch;
        }

        /** The call counts as under way until it ends. */
        void entered(PeerFlow newFlow, long newWeight) {
            flow = newFlow;
            weight = newWeight;
        }

        @Override
        public void onReply(Message reply) {
            if (WireInput.isHeavy(reply)) {
                threads.execute(() -> finish(reply, false));
            } else {
                finish(reply, true);
            }
        }

        private void finish(Message reply, boolean onPoller) {
            R result;
            try {
                Opened opened = codec.open(peer, reply);
                if (onPoller) {
                    opened.body().refuseHeavy();
                }
                if (opened.type() == MessageTypes.EXCEPTION) {
                    undoEncoding();
                    throw FailureCodec.readRequestFailure(opened.body());
                }
                result = read.apply(opened.body());
                for (Header header : opened.headers()) {
                    header.interceptor().onReplyIn(opened.body(), header.content());
                }
            } catch (RuntimeException failure) {
                end(failure, () -> future.tryFail(failure));
                return;
            }
            end(null, () -> future.tryComplete(result));
        }

        @Override
        public void onFailure(RuntimeException failure) {
            if (!(failure instanceof RpcException e) || e.kind() != RpcErrorKind.TIMEOUT) {
                undoEncoding();
            }
            end(failure, () -> future.tryFail(failure));
        }

        private void undoEncoding() {
            if (undo != null) {
                undo.run();
            }
        }

        /**
         * Complete the future before the call counts as ended, so that what its listeners start
         * counts too.
         */
        private void end(@Nullable RuntimeException failure, Runnable complete) {
            try {
                watch.ended(failure);
                complete.run();
            } finally {
                if (flow != null) {
                    flow.leave(weight);
                }
                active.end();
            }
        }
    }
}
