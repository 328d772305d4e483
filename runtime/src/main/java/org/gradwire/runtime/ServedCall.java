package org.gradwire.runtime;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.runtime.MessageFactory.ScopeOf;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.function.Binder;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.profile.CallWatch;
import org.gradwire.runtime.profile.FlightRecords;
import org.gradwire.runtime.rref.ArgumentReferences;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.rref.RRefType;
import org.gradwire.runtime.wire.WireCodec.Opened;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.spi.CallMemory;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A call of a function that this worker runs for a peer: decode, wait for the references in the
 * arguments to be known to their owners, run, answer. The waiting takes no thread.
 */
final class ServedCall {
    private static final @Nullable Object[] NO_ARGS = {};

    private final CallReceiver receiver;
    private final Exchange exchange;
    private final Opened opened;
    private final CallBody.Head head;
    private boolean onPoller;
    private final @Nullable Cancellation cancellation; // null: it cannot be cancelled
    private @Nullable RemoteFunction function;
    private @Nullable UdfCodec codec;
    private @Nullable Object[] args = NO_ARGS;
    private ArgumentReferences references = ArgumentReferences.NONE;
    private List<ScopeOf> scopes = List.of();
    private @Nullable RemoteResult remoteResult;
    private CallWatch watch = CallWatch.NONE;

    /** Where the result of a remote call goes: into a reference that stays here. */
    private record RemoteResult(
            GloballyUniqueId rrefId, GloballyUniqueId forkId, CallFuture<@Nullable Object> value) {}

    ServedCall(CallReceiver receiver, Exchange exchange, Opened opened, CallBody.Head head) {
        this.receiver = receiver;
        this.exchange = exchange;
        this.opened = opened;
        this.head = head;
        this.cancellation = head.id() == CallBody.NO_ID ? null : new Cancellation();
    }

    /** Decode an operator's call on a poller, and run it there if it is short. */
    void prepareOnPoller() {
        RemoteFunction operator = decode();
        if (operator.light(args)) {
            onPoller = true;
            whenConfirmed(true);
        } else {
            whenConfirmed(false);
        }
    }

    /** The caller waits no more. */
    void cancel() {
        if (cancellation != null) {
            cancellation.cancel();
        }
    }

    /** Decode and run on a virtual thread. */
    void prepareAndRun() {
        PeerFlow flow = receiver.flows().to(exchange.from());
        if (!flow.hold(() -> receiver.threads().running().start(this::prepareAndRun))) {
            try {
                prepareAndRunNow();
            } finally {
                flow.resume();
            }
        }
    }

    private void prepareAndRunNow() {
        receiver.cancellable().begin(exchange.from(), head.id(), this);
        try {
            decode();
            whenConfirmed(true);
        } catch (RuntimeException | Error failure) {
            abandon(failure);
        }
    }

    private void abandon(Throwable failure) {
        receiver.cancellable().end(exchange.from(), head.id());
        references.giveUp();
        RemoteResult remote = remoteResult;
        if (remote != null) { // others may wait for it
            remote.value.tryFail(FunctionException.of(failure));
        }
        exchange.fail(failure);
    }

    private RemoteFunction decode() {
        WireInput in = opened.body();
        RemoteFunction found = CallBody.readFunction(head.kind(), receiver.functions(), in);
        watch = FlightRecords.served(found.schema(), exchange.from(), receiver.names());
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

    private void decodeRest(RemoteFunction found, Input in) {
        codec = head.codec().isEmpty() ? null : receiver.udfCodecs().named(head.codec());
        args = CallBody.readArguments(found, codec, in);
        takeReferences();
        scopes = receiver.runningScopes(opened);
        Binder.checkReceived(found, head.onReferent() ? 1 : 0, args);
        if (opened.type() == head.kind().remoteCallType()) {
            remoteResult = enterResult(found, in);
        }
    }

    private void takeReferences() {
        Object referent = head.onReferent() && args.length > 0 ? args[0] : null;
        references =
                ArgumentReferences.of(
                        opened.body().noted(Received.class), receiver.codec().values(), referent);
    }

    private RemoteResult enterResult(RemoteFunction found, Input in) {
        GloballyUniqueId rrefId = GloballyUniqueId.read(in);
        GloballyUniqueId forkId = GloballyUniqueId.read(in);
        var type = RRefType.madeBy(head.kind(), found);
        return new RemoteResult(
                rrefId,
                forkId,
                receiver.rrefs().createOwned(exchange.from(), rrefId, forkId, type));
    }

    /** Go on when the owners of all references in the arguments know of them. */
    private void whenConfirmed(boolean here) {
        List<CallFuture<@Nullable Void>> confirmations = references.confirmations();
        if (confirmations.isEmpty() && here) {
            run();
            return;
        }
        exchange.keepOpen();
        Runnable start = () -> receiver.threads().running().start(this::runAlone);
        if (confirmations.isEmpty()) {
            start.run();
            return;
        }
        var left = new AtomicInteger(confirmations.size());
        for (CallFuture<@Nullable Void> confirmation : confirmations) {
            confirmation.whenEnded((_, failure) -> {
                if (failure != null) {
                    fail(failure);
                } else if (left.decrementAndGet() == 0) {
                    start.run();
                }
            });
        }
    }

    /** Run on a thread that does nothing else for the call: whatever goes wrong is answered. */
    private void runAlone() {
        try {
            run();
        } catch (RuntimeException | Error failure) {
            abandon(failure);
        }
    }

    private void run() {
        if (scopes.isEmpty()) {
            runWithMemory();
        } else {
            CallReceiver.within(scopes, this::runWithMemory);
        }
    }

    private void runWithMemory() {
        RemoteFunction target = Objects.requireNonNull(function);
        Runnable givesBack = memoryOf(target);
        try {
            runObserved(target);
        } finally {
            if (givesBack != null) {
                givesBack.run();
            }
        }
    }

    /** {@return gives back what the call has taken, when it is over; null when nothing does} */
    private @Nullable Runnable memoryOf(RemoteFunction target) {
        CallMemory memory = receiver.memory();
        boolean mayBeLarge = target.operator() == null || opened.body().hasBuffers();
        return memory != null && target.scoped() && remoteResult == null && mayBeLarge
                ? memory.begin(opened.body())
                : null;
    }

    private void runObserved(RemoteFunction target) {
        CallWatch observed =
                receiver.observers().served(target.schema(), exchange.from(), receiver.names());
        watch = CallWatch.both(watch, observed);
        try {
            run(target);
        } finally {
            observed.left();
        }
    }

    private void run(RemoteFunction target) {
        if (cancellation != null && !cancellation.begin()) {
            fail(new RpcException(RpcErrorKind.CANCELLED, "the call was cancelled"));
            return;
        }
        Object result;
        try {
            bindReferent(target);
        } catch (Throwable thrown) {
            endRunning();
            fail(thrown);
            return;
        }
        try {
            result =
                    references.isEmpty()
                            ? ScriptRunner.invoke(target, args)
                            : references.run(() -> ScriptRunner.invoke(target, args));
        } catch (Throwable thrown) {
            endRunning();
            fail(thrown);
            return;
        }
        endRunning();
        if (target.async()) {
            answerLater(result);
        } else {
            succeed(result, !onPoller);
        }
    }

    private void endRunning() {
        if (cancellation != null) {
            cancellation.end();
        }
    }

    /** When it is cancelled from now on, something is to be stopped. */
    private void continues(Runnable stop) {
        if (cancellation != null) {
            cancellation.continues(stop);
        }
    }

    private void bindReferent(RemoteFunction target) {
        if (head.onReferent()) {
            args[0] = Binder.fit(target, 0, referent(args[0]));
        }
    }

    /** {@return the value of a reference, which may still have to be made} */
    private static @Nullable Object referent(@Nullable Object reference) {
        if (reference instanceof RRef<?> rref) {
            return rref.localValue();
        }
        throw new DecodingException("the method of a reference's value came without a reference");
    }

    private void answerLater(@Nullable Object result) {
        switch (result) {
            case CallFuture<?> future -> {
                receiver.activeAsync().begin();
                continues(future::cancel);
                future.whenEnded((value, failure) -> later(value, failure));
            }
            case RpcFuture<?> future -> {
                receiver.activeAsync().begin();
                continues(() -> receiver.threads().execute(future::cancel));
                var _ =
                        future.toCompletableFuture()
                                .whenComplete((value, failure) -> later(value, failure));
            }
            case CompletionStage<?> stage -> {
                receiver.activeAsync().begin();
                continues(() ->
                        receiver.threads().execute(() -> stage.toCompletableFuture().cancel(true)));
                var _ = stage.whenComplete((value, failure) -> later(value, failure));
            }
            case null, default -> fail(new TypeMismatchException(wrongFuture(result)));
        }
    }

    private String wrongFuture(@Nullable Object result) {
        String type = result == null ? "null" : result.getClass().getSimpleName();
        return head.kind() == FunctionKind.SCRIPT
                ? "Async functions must return an IValue of Future type, but got " + type
                : "Functions decorated with @rpc.async_function must return a torch.futures.Future object, but got "
                        + type;
    }

    /** The future that the function returned is complete; this may be a poller. */
    private void later(@Nullable Object value, @Nullable Throwable failure) {
        Runnable answer =
                () -> {
                    if (failure != null) {
                        fail(failure);
                    } else {
                        succeed(value, false);
                    }
                    receiver.activeAsync().end();
                };
        if (failure == null && codec == null && receiver.codec().values().isLight(value)) {
            answer.run();
        } else {
            receiver.threads().execute(answer);
        }
    }

    /** Answer; this may wait if it is done in turn, on the function's own thread. */
    private void succeed(@Nullable Object result, boolean inTurn) {
        try {
            answer(result, inTurn);
        } finally {
            references.giveUp(); // the result has its own
        }
    }

    private void answer(@Nullable Object result, boolean inTurn) {
        RemoteResult remote = remoteResult;
        watch.ended(null);
        receiver.cancellable().end(exchange.from(), head.id());
        if (remote == null) {
            RemoteFunction target = Objects.requireNonNull(function);
            Consumer<Output> body = out -> CallBody.writeResult(target, codec, result, out);
            if (inTurn) {
                exchange.replyInTurn(head.kind().replyType(), scopes, body);
            } else {
                exchange.reply(head.kind().replyType(), scopes, body);
            }
        } else {
            references.keepFor(result, receiver.rrefs(), remote.rrefId);
            remote.value.tryComplete(result);
            replyCreated(remote, scopes);
        }
    }

    private void fail(Throwable thrown) {
        references.giveUp();
        RemoteResult remote = remoteResult;
        watch.ended(FunctionException.original(thrown));
        receiver.cancellable().end(exchange.from(), head.id());
        if (remote == null) {
            exchange.replyFailure(head.kind().replyType(), thrown);
        } else {
            remote.value.tryFail(FunctionException.of(thrown));
            replyCreated(remote, List.of());
        }
    }

    private void replyCreated(RemoteResult remote, List<ScopeOf> replyScopes) {
        exchange.reply(
                MessageTypes.REMOTE_RET,
                replyScopes,
                out -> {
                    remote.rrefId.write(out);
                    remote.forkId.write(out);
                });
    }
}
