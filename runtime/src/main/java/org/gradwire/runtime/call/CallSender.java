package org.gradwire.runtime.call;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.call.MessageFactory.EncodedRequest;
import org.gradwire.runtime.flow.Flows;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.profile.CallMode;
import org.gradwire.runtime.profile.CallWatch;
import org.gradwire.runtime.profile.CallWatcher;
import org.gradwire.runtime.retry.RetriedCall;
import org.gradwire.runtime.retry.RetriedCalls;
import org.gradwire.runtime.retry.RetryHeader;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.rref.RRefType;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes the calls of a worker: encodes them on the caller's thread, and completes their futures
 * when the replies arrive. Thread-safe.
 */
public final class CallSender {
    private static final Duration QUEUE_DEPTH_TIMEOUT = Duration.ofSeconds(10);

    private final CallServices services;
    private final MessageFactory messages;
    private final RequestSender requests;
    private final RpcAgent agent;
    private final ReplyCompletion.Context completions;
    private final InFlightCounter outgoing;
    private final RetriedCalls retried;
    private final CallWatcher watcher;
    private final Flows flows;
    private final ProfiledCreations creations = new ProfiledCreations();

    public CallSender(
            CallServices services,
            RequestSender requests,
            RpcAgent agent,
            InFlightCounter outgoing,
            RetriedCalls retried,
            CallWatcher watcher,
            long windowBytes) {
        this.services = services;
        this.messages = new MessageFactory(services.codec());
        this.requests = requests;
        this.agent = agent;
        this.outgoing = outgoing;
        this.completions = ReplyCompletion.Context.of(services, outgoing);
        this.retried = retried;
        this.watcher = watcher;
        this.flows = new Flows(windowBytes, services.threads(), this::queueDepth);
    }

    /** {@return flow control to all peers} */
    public Flows flows() {
        return flows;
    }

    private PeerFlow.QueueDepthQuery queueDepth(int peer) {
        return reply ->
                requests.request(peer, MessageTypes.QUEUE_DEPTH_REQ, _ -> {}, QUEUE_DEPTH_TIMEOUT)
                        .whenEnded((in, _) -> reply.accept(in == null ? -1 : in.readInt()));
    }

    private BoundCall bind(Call<?> call, @Nullable RRef<?> referent) {
        return BoundCall.of(
                services.functions(),
                call,
                referent,
                services.codec().values()::isBindable,
                services.udfCodecs());
    }

    /**
     * Call a function.
     *
     * @param referent the reference on whose value a method is called; null for any other function
     * @param retry the call's own policy; null for none
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
        // A synchronous caller has no future to cancel.
        boolean mayCancel = mode == CallMode.ASYNC && kind != FunctionKind.BUILTIN;
        CallWatch watch = begin(mode, bound, to);
        RetriedCall repeated = retried.begin(to, bound.function(), retry);
        long id = repeated != null ? repeated.id() : mayCancel ? retried.newId() : CallBody.NO_ID;
        EncodedRequest request =
                encode(
                        watch,
                        repeated,
                        to,
                        kind.callType(),
                        kind != FunctionKind.BUILTIN,
                        out -> CallBody.writeCall(bound, id, headOf(repeated), out));
        CallFuture<R> future = services.threads().newFuture();
        if (id != CallBody.NO_ID || !watch.equals(CallWatch.NONE)) {
            future.whenCancelled(() -> {
                watch.cancelled();
                if (id != CallBody.NO_ID) {
                    cancel(to.id(), id, repeated, mayCancel, timeout);
                }
            });
        }
        Function<Input, R> read = services.rrefs().ofResults(CallSender.<R>reader(bound));
        send(to, bound.function(), request, timeout, future, read, repeated, watch);
        return future;
    }

    private static @Nullable RetryHeader headOf(@Nullable RetriedCall repeated) {
        return repeated == null ? null : repeated.head();
    }

    /** Notify a callee that a call is cancelled; best effort. */
    private void cancel(
            int callee, long id, @Nullable RetriedCall repeated, boolean tell, Duration timeout) {
        if (repeated != null) {
            repeated.giveUp(new RpcException(RpcErrorKind.CANCELLED, "the call was cancelled"));
        }
        if (tell) {
            requests.request(callee, MessageTypes.CANCEL_REQ, out -> out.writeLong(id), timeout);
        }
    }

    private CallWatch begin(CallMode mode, BoundCall call, WorkerInfo to) {
        return watcher.begin(mode, ScriptRunner::inScript, call.function().schema(), to);
    }

    private EncodedRequest encode(
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
     * @param referent the reference on whose value a method is called; null for any other function
     * @param retry the call's own policy; null for none
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
        EncodedRequest request =
                encode(
                        watch,
                        repeated,
                        to,
                        kind.remoteCallType(),
                        kind != FunctionKind.BUILTIN,
                        out -> {
                            CallBody.writeCall(bound, id, headOf(repeated), out);
                            // After the arguments: if they cannot be sent, no reference is created.
                            RRefContext.Creation<R> entered = services.rrefs().create(to, type);
                            creation.set(entered);
                            entered.rrefId().write(out);
                            entered.forkId().write(out);
                        });
        RRefContext.Creation<R> created = Objects.requireNonNull(creation.get());
        CallFuture<@Nullable Void> ended = services.threads().newInlineFuture();
        ended.whenEnded((_, failure) -> services.rrefs().creationEnded(created, failure));
        if (watch.expectsEvents()) {
            creations.add(created.rrefId(), ended);
        }
        send(to, bound.function(), request, timeout, ended, _ -> null, repeated, watch);
        return created.rref();
    }

    CallFuture<@Nullable Object> fetch(
            WorkerInfo owner, GloballyUniqueId rrefId, RRefType type, Duration timeout) {
        CallWatch watch = watcher.beginFetch(owner);
        EncodedRequest request =
                encode(
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
        CallFuture<@Nullable Object> future = services.threads().newFuture();
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

    /** Send a call or a fetch, after a wait for room. */
    private <R extends @Nullable Object> void send(
            WorkerInfo to,
            Object subject,
            EncodedRequest request,
            Duration timeout,
            CallFuture<R> future,
            Function<Input, R> read,
            @Nullable RetriedCall repeated,
            CallWatch watch) {
        var end =
                new ReplyCompletion<>(
                        completions, to.id(), subject, timeout.toNanos(), future, read);
        end.observe(watch, request.undo());
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

    /** {@return metrics of outgoing calls, by PyTorch's names if it has them} */
    public Map<String, String> debugInfo() {
        return Map.of(
                "agent.client_active_calls", Integer.toString(outgoing.count()),
                "agent.client_call_bytes", Long.toString(flows.callBytes()),
                "agent.client_waiting_calls", Integer.toString(flows.waitingCalls()));
    }
}
