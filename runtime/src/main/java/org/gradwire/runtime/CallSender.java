package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
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
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
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
    private final CallEnd.Place ends;
    private final AtomicLong nextCallId;
    private final RetriedCalls retried;
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
            AtomicLong nextCallId,
            RetriedCalls retried,
            CallWatcher watcher,
            Members members,
            long windowBytes,
            UdfCodecs udfCodecs,
            BooleanSupplier hasStopped) {
        this.functions = functions;
        this.codec = codec;
        this.messages = new MessageFactory(codec);
        this.threads = threads;
        this.rrefs = rrefs;
        this.agent = agent;
        this.ends = new CallEnd.Place(codec, threads, active, members, hasStopped);
        this.nextCallId = nextCallId;
        this.retried = retried;
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
     * @param retry what the call says of being sent again; null for nothing
     */
    <R extends @Nullable Object> CallFuture<R> call(
            CallMode mode,
            WorkerInfo to,
            Call<R> call,
            @Nullable RRef<?> referent,
            Duration timeout,
            @Nullable RetryPolicy retry) {
        BoundCall bound = bind(call, referent);
        FunctionKind kind = bound.function().kind();
        // Who waits for the result at once has no future to cancel.
        boolean mayCancel = mode == CallMode.ASYNC && kind != FunctionKind.BUILTIN;
        CallWatch watch = begin(mode, bound, to);
        RetriedCall repeated = retried.begin(to, bound.function(), retry);
        long id = repeated != null ? repeated.id() : mayCancel ? newId() : CallBody.NO_ID;
        Sealed request =
                seal(
                        watch,
                        repeated,
                        to,
                        kind.callType(),
                        kind != FunctionKind.BUILTIN,
                        out -> CallBody.writeCall(bound, id, headOf(repeated), out));
        CallFuture<R> future = threads.newFuture();
        if (id != CallBody.NO_ID || !watch.equals(CallWatch.NONE)) {
            future.whenCancelled(() -> {
                watch.cancelled();
                if (id != CallBody.NO_ID) {
                    cancel(to.id(), id, repeated, mayCancel, timeout);
                }
            });
        }
        Function<Input, R> read = rrefs.ofResults(CallSender.<R>reader(bound));
        send(to, bound.function(), request, timeout, future, read, repeated, watch);
        return future;
    }

    private long newId() {
        return nextCallId.getAndIncrement();
    }

    private static CallBody.@Nullable Retried headOf(@Nullable RetriedCall repeated) {
        return repeated == null ? null : repeated.head();
    }

    /** Tell a callee that nobody waits for a call any more; best effort. */
    private void cancel(
            int callee, long id, @Nullable RetriedCall repeated, boolean tell, Duration timeout) {
        if (repeated != null) {
            repeated.giveUp(new RpcException(RpcErrorKind.CANCELLED, "the call was cancelled"));
        }
        if (tell) {
            request(callee, MessageTypes.CANCEL_REQ, out -> out.writeLong(id), timeout);
        }
    }

    private CallWatch begin(CallMode mode, BoundCall call, WorkerInfo to) {
        return watcher.begin(mode, ScriptRunner::inScript, call.function().schema(), to);
    }

    private Sealed seal(
            CallWatch watch,
            @Nullable RetriedCall repeated,
            WorkerInfo to,
            int type,
            boolean contextual,
            Consumer<Output> body) {
        try {
            return messages.request(to.id(), type, contextual, body);
        } catch (Throwable failure) {
            watch.ended(failure);
            if (repeated != null) {
                repeated.abandon();
            }
            throw failure;
        } finally {
            watch.left();
        }
    }

    @SuppressWarnings({
        "unchecked",
        "NullAway",
        "TypeParameterUnusedInFormals"
    }) // javac checked the function's type
    private static <R extends @Nullable Object> Function<Input, R> reader(BoundCall call) {
        return call.codec() == null
                ? in -> (R) CallBody.readValue(in) // keeps nothing of the call alive
                : in -> (R) CallBody.readResult(call, call.codec(), in);
    }

    /**
     * Call a function and leave its result on the callee.
     *
     * @param referent reference to the value whose method it is; null for any other function
     * @param retry what the call says of being sent again; null for nothing
     */
    <R extends @Nullable Object> RRef<R> remote(
            WorkerInfo to,
            Call<R> call,
            @Nullable RRef<?> referent,
            Duration timeout,
            @Nullable RetryPolicy retry) {
        BoundCall bound = bind(call, referent);
        FunctionKind kind = bound.function().kind();
        var type = RRefType.madeBy(kind, bound.function());
        var creation = new AtomicReference<RRefContext.@Nullable Creation<R>>();
        CallWatch watch = begin(CallMode.REMOTE, bound, to);
        RetriedCall repeated = retried.begin(to, bound.function(), retry);
        long id = repeated == null ? CallBody.NO_ID : repeated.id();
        Sealed request =
                seal(
                        watch,
                        repeated,
                        to,
                        kind.remoteCallType(),
                        kind != FunctionKind.BUILTIN,
                        out -> {
                            CallBody.writeCall(bound, id, headOf(repeated), out);
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
        send(to, bound.function(), request, timeout, ended, _ -> null, repeated, watch);
        return created.rref();
    }

    CallFuture<@Nullable Object> fetch(
            WorkerInfo owner, GloballyUniqueId rrefId, RRefType type, Duration timeout) {
        CallWatch watch = watcher.beginFetch(owner);
        Sealed request =
                seal(
                        watch,
                        null,
                        owner,
                        type.kind().fetchType(),
                        true,
                        out -> {
                            rrefId.write(out);
                            out.writeString(type.name());
                            out.writeInt(type.kind().code());
                        });
        CallFuture<@Nullable Object> future = threads.newFuture();
        CallFuture<@Nullable Object> fetched = creations.before(rrefId, future);
        send(
                owner,
                "the value of a reference",
                request,
                timeout,
                fetched,
                CallBody::readValue,
                null,
                watch);
        return future;
    }

    /** Send a request of an extension. */
    CallFuture<Input> request(int to, int type, Consumer<Output> body, Duration timeout) {
        return request(to, messages.plain(to, type, body), timeout);
    }

    /** Return messages of the same content to several workers. */
    MessageFactory.ToAll toAll(int type, Consumer<Output> body) {
        return messages.toAll(type, body);
    }

    Message plain(int to, int type, Consumer<Output> body) {
        return messages.plain(to, type, body);
    }

    CallFuture<Input> request(int to, Message message, Duration timeout) {
        CallFuture<Input> future = threads.newInlineFuture();
        var end =
                new CallEnd<>(
                        ends,
                        to,
                        MessageTypes.name(message.type()),
                        timeout.toNanos(),
                        future,
                        in -> in,
                        null,
                        CallWatch.NONE);
        agent.send(to, message, timeout.toNanos(), end);
        return future;
    }

    /** Send a call, or the fetch of a value, when there is room for it. */
    private <R extends @Nullable Object> void send(
            WorkerInfo to,
            Object subject,
            Sealed request,
            Duration timeout,
            CallFuture<R> future,
            Function<Input, R> read,
            @Nullable RetriedCall repeated,
            CallWatch watch) {
        var end =
                new CallEnd<>(
                        ends,
                        to.id(),
                        subject,
                        timeout.toNanos(),
                        future,
                        read,
                        request.undo(),
                        watch);
        Message message = request.message();
        PeerFlow flow = flows.to(to.id());
        long weight = PeerFlow.weight(message);
        long left;
        try {
            left = flow.enter(weight, timeout.toNanos());
        } catch (RpcException noRoom) {
            message.release();
            if (repeated != null) {
                repeated.abandon();
            }
            end.onFailure(noRoom, false);
            return;
        }
        end.entered(flow, weight);
        if (repeated == null) {
            agent.send(to.id(), flow.outgoing(message), left, end);
        } else {
            repeated.start(message, timeout.toNanos(), flow, end);
        }
    }
}
