package org.gradwire.collective;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/** Runs the operations of a group, on the calling thread or on a virtual thread of the worker. */
final class OperationRunner {
    private final Worker worker;
    private final GroupState group;
    private final PartSender sender;
    private final Deque<RpcFuture<?>> running = new ArrayDeque<>(); // guarded by itself

    OperationRunner(Worker worker, GroupState group, PartSender sender) {
        this.worker = worker;
        this.group = group;
        this.sender = sender;
    }

    <T extends @Nullable Object> T run(Call<T> call) {
        return finish(begin(call.signature()), call.steps());
    }

    /** Begin an operation on this thread, and run it on another. */
    <T extends @Nullable Object> RpcFuture<T> start(Call<T> call) {
        awaitRunning();
        Round round = begin(call.signature());
        RpcPromise<T> promise = worker.rpc().promise();
        synchronized (running) {
            running.add(promise);
        }
        worker.executor()
                .execute(() -> {
                    try {
                        promise.tryComplete(finish(round, call.steps()));
                    } catch (RuntimeException e) {
                        promise.tryFail(e);
                    }
                });
        return promise;
    }

    private Round begin(Signature signature) {
        sender.awaitWindow(group.begun() + 1);
        return group.begin(signature);
    }

    /** Wait while many operations run on other threads. */
    private void awaitRunning() {
        RpcFuture<?> oldest;
        synchronized (running) {
            running.removeIf(RpcFuture::isDone);
            oldest = running.size() < PartSender.WINDOW ? null : running.peek();
        }
        try {
            var _ = oldest == null ? null : oldest.join();
        } catch (RuntimeException e) {
            return; // of that operation
        }
    }

    private <T extends @Nullable Object> T finish(Round round, Function<Round, T> operation) {
        try {
            T result = operation.apply(round);
            round.awaitReceived();
            return result;
        } catch (RuntimeException | Error e) {
            throw broken(round, e);
        } finally {
            group.end(round);
        }
    }

    /** Break the group: the other members wait for parts that will not come. */
    private RuntimeException broken(Round round, Throwable thrown) {
        String text = group.members().operation(round.number(), round.signature());
        Failure reason = group.fail(Failure.of(thrown, text));
        RpcException failure = reason.exception();
        if (!(thrown instanceof RpcException)) {
            failure.initCause(thrown);
        }
        return failure;
    }
}
