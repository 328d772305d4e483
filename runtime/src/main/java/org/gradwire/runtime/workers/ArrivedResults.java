package org.gradwire.runtime.workers;

import org.gradwire.rpc.WorkerGroup.MemberResult;
import org.gradwire.rpc.WorkerGroup.ResultStream;
import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;

/** The results of a call of all members, by arrival. For one thread. */
final class ArrivedResults<R extends @Nullable Object> implements ResultStream<R> {
    private final StartedCalls<R> started;
    private final List<CallFuture<MemberResult<R>>> arrivals = new ArrayList<>();
    private final AtomicInteger arrived = new AtomicInteger();
    private int next;
    private boolean closed;

    ArrivedResults(StartedCalls<R> started) {
        this.started = started;
        for (int i = 0; i < started.size(); i++) {
            arrivals.add(started.calls().newFuture());
        }
        for (int i = 0; i < started.size(); i++) {
            CallFuture<R> future = started.futures().get(i);
            var result = new MemberResult<>(started.members().get(i), future);
            future.whenEnded((_, _) -> arrivals.get(arrived.getAndIncrement()).complete(result));
        }
    }

    @Override
    public Iterator<MemberResult<R>> iterator() {
        return new Rest();
    }

    /** Removes the results from the stream. */
    private final class Rest implements Iterator<MemberResult<R>> {
        @Override
        public boolean hasNext() {
            return !closed && next < arrivals.size();
        }

        @Override
        public MemberResult<R> next() {
            if (!hasNext()) {
                throw new NoSuchElementException(
                        closed ? "the results are closed" : "all members have replied");
            }
            MemberResult<R> result = arrivals.get(next).join();
            next++;
            return result;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        started.cancel();
        for (; next < arrivals.size(); next++) { // arrived, and not read
            arrivals.get(next).whenEnded((result, _) -> drop(result));
        }
    }

    private void drop(@Nullable MemberResult<R> result) {
        if (result != null) {
            ((CallFuture<R>) result.outcome())
                    .whenEnded((value, _) -> started.calls().closeReferences(value));
        }
    }
}
