package org.gradwire.collective;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/** Runs the operations of a group, on the calling thread or on a virtual thread of the worker. */
final class OperationRunner {
    private final Worker worker;
    private final GroupState group;

    OperationRunner(Worker worker, GroupState group) {
        this.worker = worker;
        this.group = group;
    }

    /** Run an operation on this thread, which probably runs the next one soon. */
    <T extends @Nullable Object> T run(Call<T> call) {
        T result = finish(begin(call), call.steps());
        worker.linger();
        return result;
    }

    /** Begin an operation on this thread, and run it on another. */
    <T extends @Nullable Object> RpcFuture<T> start(Call<T> call) {
        SendWindow window = call.sequence().window();
        window.awaitRunning();
        Round round = begin(call);
        RpcPromise<T> promise = worker.rpc().promise();
        window.running(promise);
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

    private Round begin(Call<?> call) {
        Sequence sequence = call.sequence();
        sequence.window().awaitRoom(group.begun(sequence) + 1);
        return group.begin(sequence, call.signature());
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
        Failure reason = group.fail(Failure.of(thrown, round.text()));
        RpcException failure = reason.exception();
        if (!(thrown instanceof RpcException)) {
            failure.initCause(thrown);
        }
        return failure;
    }
}
