package org.gradwire.runtime.call;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.runtime.call.MessageFactory.ScopeOf;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.function.Binder;
import org.gradwire.runtime.function.CallerOperator;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.profile.CallWatch;
import org.gradwire.runtime.profile.FlightRecords;
import org.gradwire.runtime.rref.ArgumentReferences;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.wire.WireCodec.DecodedMessage;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.spi.CallArena;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A call of a peer that this worker serves. It passes four stages: decode; wait, without a thread,
 * until the owners of the references in the arguments have confirmed them; run; reply.
 */
final class InboundCall {
    private static final @Nullable Object[] NO_ARGS = {};

    private final InboundServices services;
    private final CallServices calls;
    private final InboundRequest request;
    private final DecodedMessage message;
    private final CallBody.Head head;
    private final @Nullable Cancellation cancellation; // null if it cannot be cancelled
    private boolean onPoller;
    private @Nullable RemoteFunction function;
    private @Nullable UdfCodec codec;
    private @Nullable Object[] args = NO_ARGS;
    private ArgumentReferences references = ArgumentReferences.NONE;
    private List<ScopeOf> scopes = List.of();
    private @Nullable RemoteResult remoteResult;
    private CallWatch watch = CallWatch.NONE;

    InboundCall(
            InboundServices services,
            InboundRequest request,
            DecodedMessage message,
            CallBody.Head head) {
        this.services = services;
        this.calls = services.calls();
        this.request = request;
        this.message = message;
        this.head = head;
        this.cancellation = head.id() == CallBody.NO_ID ? null : new Cancellation();
    }

    /** Decode the call of an operator on a poller, and run it there if it is short. */
    void prepareOnPoller() {
        RemoteFunction operator = decode();
        onPoller = operator.runsOnPoller(args);
        whenConfirmed(onPoller);
    }

    /** Decode and run on a virtual thread, or later while too many replies wait. */
    void prepareAndRun() {
        PeerFlow flow = services.flows().to(request.from());
        if (!flow.hold(
                () -> calls.threads().running().start(request.from(), this::prepareAndRun))) {
            try {
                prepareAndRunNow();
            } finally {
                flow.resume();
            }
        }
    }

    private void prepareAndRunNow() {
        if (cancellation != null) {
            services.cancellable().begin(request.from(), head.id(), cancellation);
        }
        try {
            decode();
            whenConfirmed(true);
        } catch (RuntimeException | Error failure) {
            abandon(failure);
        }
    }

    private void abandon(Throwable failure) {
        endCancellable();
        references.giveUp();
        RemoteResult remote = remoteResult;
        if (remote != null) { // others may wait for it
            remote.value().tryFail(FunctionException.of(failure));
        }
        request.fail(failure);
    }

    // ---- decode

    private RemoteFunction decode() {
        WireInput in = message.body();
        RemoteFunction found =
                services.authorization().lookUp(request.from(), head.kind(), in.readName());
        watch = FlightRecords.served(found.schema(), request.from(), services.names());
        try {
            decodeRest(found, in);
        } catch (RuntimeException | Error failure) {
            takeReferences();
            references.giveUp();
            watch.ended(failure);
            throw failure;
        }
        function = found;
        return found;
    }

    private void decodeRest(RemoteFunction found, WireInput in) {
        codec = head.codec().isEmpty() ? null : calls.udfCodecs().named(head.codec());
        args = CallBody.readArguments(found, codec, in);
        takeReferences();
        scopes = InterceptorScopes.ofRun(message, calls.codec().interceptors());
        Binder.checkReceived(found, head.onReferent() ? 1 : 0, args);
        if (message.type() == head.kind().remoteCallType()) {
            remoteResult = RemoteResult.read(calls.rrefs(), request.from(), head.kind(), found, in);
        }
    }

    private void takeReferences() {
        Object referent = head.onReferent() && args.length > 0 ? args[0] : null;
        references =
                ArgumentReferences.of(
                        message.body().attached(Received.class), calls.codec().values(), referent);
    }

    // ---- wait for the owners of references

    private void whenConfirmed(boolean here) {
        List<CallFuture<@Nullable Void>> confirmations = references.confirmations();
        if (confirmations.isEmpty() && here) {
            run();
            return;
        }
        request.keepOpen();
        if (confirmations.isEmpty()) {
            startRunning();
            return;
        }
        var left = new AtomicInteger(confirmations.size());
        for (CallFuture<@Nullable Void> confirmation : confirmations) {
            confirmation.whenEnded((_, failure) -> {
                if (failure != null) {
                    fail(failure);
                } else if (left.decrementAndGet() == 0) {
                    startRunning();
                }
            });
        }
    }

    private void startRunning() {
        calls.threads()
                .running()
                .start(
                        request.from(),
                        () -> {
                            try {
                                run();
                            } catch (RuntimeException | Error failure) {
                                abandon(failure);
                            }
                        });
    }

    // ---- run

    /** Run the function. Around it, outermost first: scopes, arena, observers, cancellation. */
    private void run() {
        RemoteFunction target = Objects.requireNonNull(function);
        @Nullable Object[] entered = InterceptorScopes.enter(scopes);
        try {
            Runnable endArena = beginArena(target);
            try {
                CallWatch observed = beginObservers(target);
                try {
                    invoke(target);
                } finally {
                    observed.left();
                }
            } finally {
                if (endArena != null) {
                    endArena.run();
                }
            }
        } finally {
            InterceptorScopes.exit(scopes, entered);
        }
    }

    /** {@return an action that frees the memory of the call at its end; null if there is none} */
    private @Nullable Runnable beginArena(RemoteFunction target) {
        CallArena arena = services.arena();
        boolean mayBeLarge = target.operator() == null || message.body().hasBuffers();
        return arena != null && target.nonRetaining() && remoteResult == null && mayBeLarge
                ? arena.begin(message.body())
                : null;
    }

    private CallWatch beginObservers(RemoteFunction target) {
        CallWatch observed =
                services.observers().served(target.schema(), request.from(), services.names());
        watch = CallWatch.both(watch, observed);
        return observed;
    }

    private void invoke(RemoteFunction target) {
        if (cancellation != null && !cancellation.begin()) {
            fail(new RpcException(RpcErrorKind.CANCELLED, "the call was cancelled"));
            return;
        }
        Object result;
        try {
            bindReferent(target);
            result = references.isEmpty() ? call(target) : references.run(() -> call(target));
        } catch (Throwable thrown) {
            endRunning();
            fail(thrown);
            return;
        }
        endRunning();
        if (target.async()) {
            replyWhenDone(result);
        } else {
            succeed(result, !onPoller);
        }
    }

    private @Nullable Object call(RemoteFunction target) throws Throwable {
        if (target.operator() instanceof CallerOperator operator) {
            int from = request.from();
            var caller =
                    new CallerOperator.Caller(
                            from,
                            services.authorization(),
                            task -> calls.threads().running().start(from, task));
            return operator.apply(caller, args);
        }
        return ScriptRunner.invoke(target, args);
    }

    private void endRunning() {
        if (cancellation != null) {
            cancellation.end();
        }
    }

    /** Replace a reference by its value; waits until the value exists. */
    private void bindReferent(RemoteFunction target) {
        if (head.onReferent()) {
            if (!(args[0] instanceof RRef<?> reference)) {
                throw new DecodingException(
                        "the method of a reference's value came without a reference");
            }
            args[0] = Binder.fit(target, 0, reference.localValue());
        }
    }

    // ---- reply

    private void replyWhenDone(@Nullable Object result) {
        Runnable canceller = ReturnedFuture.canceller(result, calls.threads());
        if (canceller == null) {
            fail(new TypeMismatchException(wrongFuture(result)));
            return;
        }
        services.pendingResults().begin();
        if (cancellation != null) {
            cancellation.continues(canceller);
        }
        ReturnedFuture.whenDone(result, this::onResult);
    }

    private String wrongFuture(@Nullable Object result) {
        String type = result == null ? "null" : result.getClass().getSimpleName();
        return "Functions marked @AsyncExecution must return an RpcFuture, but got " + type;
    }

    /** Handle the completion of the returned future, possibly on a poller. */
    private void onResult(@Nullable Object value, @Nullable Throwable failure) {
        Runnable reply =
                () -> {
                    if (failure != null) {
                        fail(failure);
                    } else {
                        succeed(value, false);
                    }
                    services.pendingResults().end();
                };
        if (failure == null && codec == null && calls.codec().values().isLight(value)) {
            reply.run();
        } else {
            calls.threads().execute(reply);
        }
    }

    /** Reply with a result; blocks only on the function's own thread. */
    private void succeed(@Nullable Object result, boolean mayBlock) {
        try {
            reply(result, mayBlock);
        } finally {
            references.giveUp(); // the result has its own
        }
    }

    private void reply(@Nullable Object result, boolean mayBlock) {
        RemoteResult remote = remoteResult;
        watch.ended(null);
        endCancellable();
        if (remote != null) {
            references.keepFor(result, calls.rrefs(), remote.rrefId());
            remote.value().tryComplete(result);
            request.reply(MessageTypes.REMOTE_RET, scopes, remote::write);
            return;
        }
        RemoteFunction target = Objects.requireNonNull(function);
        Consumer<Output> body = out -> CallBody.writeResult(target, codec, result, out);
        if (mayBlock) {
            request.replyBlocking(head.kind().replyType(), scopes, body);
        } else {
            request.reply(head.kind().replyType(), scopes, body);
        }
    }

    private void fail(Throwable thrown) {
        references.giveUp();
        RemoteResult remote = remoteResult;
        watch.ended(FunctionException.original(thrown));
        endCancellable();
        if (remote == null) {
            request.replyFailure(head.kind().replyType(), thrown);
        } else {
            remote.value().tryFail(FunctionException.of(thrown));
            request.reply(MessageTypes.REMOTE_RET, List.of(), remote::write);
        }
    }

    private void endCancellable() {
        if (cancellation != null) {
            services.cancellable().end(request.from(), head.id());
        }
    }
}
