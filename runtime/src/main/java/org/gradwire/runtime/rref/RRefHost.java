package org.gradwire.runtime.rref;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/** What the references of a worker need of it. */
public interface RRefHost {

    WorkerInfo self();

    /** {@return a member of the group} */
    WorkerInfo worker(int id);

    /**
     * {@return whether the calling thread runs a script function, whose errors have texts of their
     * own}
     */
    boolean inScript();

    /** Return a new future whose callbacks run on the worker's threads. */
    <T extends @Nullable Object> CallFuture<T> newFuture();

    /** Send a control message until it is acknowledged; the future's listeners run on a poller. */
    CallFuture<@Nullable Void> sendControl(int to, int type, Consumer<Output> body);

    /**
     * Fetch a value from its owner.
     *
     * @param timeout null means the worker's default
     */
    CallFuture<@Nullable Object> fetch(
            WorkerInfo owner, GloballyUniqueId rrefId, RRefType type, @Nullable Duration timeout);
}
