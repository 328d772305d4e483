package org.gradwire.runtime.workers;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerGroup.MembersFailedException;
import org.gradwire.rpc.WorkerGroup.Results;
import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A call of all members of a group that is complete when enough of them have succeeded, or can no
 * longer. Then the other calls are cancelled. Thread-safe.
 */
final class RuledCall<R extends @Nullable Object> {
    private final StartedCalls<R> started;
    private final int needed;
    private final CallFuture<Results<R>> result;
    private final boolean[] succeeded; // these four guarded by this
    private final List<@Nullable Object> values;
    private final Map<String, RuntimeException> failures = new LinkedHashMap<>();
    private int successes;
    private boolean decided;

    RuledCall(StartedCalls<R> started, int needed) {
        this.started = started;
        this.needed = needed;
        this.result = started.calls().newCollected();
        this.succeeded = new boolean[started.size()];
        this.values = new ArrayList<>();
        for (int i = 0; i < started.size(); i++) {
            values.add(null);
        }
        result.whenCancelled(this::cancel);
        for (int i = 0; i < started.size(); i++) {
            int index = i;
            started.futures().get(i).whenEnded((value, failure) -> ended(index, value, failure));
        }
    }

    RpcFuture<Results<R>> result() {
        return result;
    }

    private void ended(int index, @Nullable R value, @Nullable RuntimeException failure) {
        Runnable decision;
        synchronized (this) {
            if (decided) {
                decision = failure == null ? () -> drop(value) : null;
            } else {
                decision = failure == null ? succeed(index, value) : fail(index, failure);
            }
        }
        if (decision != null) {
            decision.run();
        }
    }

    private @Nullable Runnable succeed(int index, @Nullable R value) {
        values.set(index, value);
        succeeded[index] = true;
        successes++;
        if (successes < needed) {
            return null;
        }
        decided = true;
        Results<R> results = results();
        return () -> {
            if (!result.tryComplete(results)) {
                results.values().forEach(this::drop);
            }
            cancelLater();
        };
    }

    @SuppressWarnings("unchecked") // the values are results of the calls
    private Results<R> results() {
        Map<String, R> byName = new LinkedHashMap<>();
        for (int i = 0; i < started.size(); i++) {
            if (succeeded[i]) {
                byName.put(started.members().get(i).name(), (R) values.get(i));
            }
        }
        return new Results<>(byName);
    }

    private @Nullable Runnable fail(int index, RuntimeException failure) {
        failures.put(started.members().get(index).name(), failure);
        if (started.size() - failures.size() >= needed) {
            return null;
        }
        decided = true;
        RuntimeException all = failure();
        List<R> dropped = results().values();
        return () -> {
            result.tryFail(all);
            dropped.forEach(this::drop);
            cancelLater();
        };
    }

    private MembersFailedException failure() {
        RuntimeException first = failures.values().iterator().next();
        String each =
                failures.entrySet().stream()
                        .map(one -> one.getKey() + ": " + text(one.getValue()))
                        .collect(Collectors.joining("; "));
        return new MembersFailedException(
                first instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN,
                "%d of %d members must succeed, but %d failed: %s"
                        .formatted(needed, started.size(), failures.size(), each),
                failures);
    }

    /** {@return the type and the message of a failure, without the stack trace of its worker} */
    private static String text(RuntimeException failure) {
        String message = Objects.requireNonNullElse(failure.getMessage(), "");
        String lines = message.lines().limit(2).collect(Collectors.joining(" "));
        return failure.getClass().getSimpleName() + ": " + lines;
    }

    /** Cancel the calls on another thread: this one may be a poller. */
    private void cancelLater() {
        if (needed < started.size() || !failures.isEmpty()) {
            started.calls().execute(started::cancel);
        }
    }

    private void cancel() {
        synchronized (this) {
            if (!decided) {
                decided = true;
                results().values().forEach(this::drop);
            }
        }
        started.cancel();
    }

    /** Close the references in a result that the caller does not get. */
    private void drop(@Nullable R value) {
        started.calls().closeReferences(value);
    }
}
