package org.gradwire.conformance.functions;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Retry;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remote functions that count their runs on a worker, by key. */
public final class RetryFunctions {
    private final Map<String, Integer> runs = new ConcurrentHashMap<>();
    private final Tensor state = Tensor.zeros(1000);

    private RetryFunctions() {}

    /** {@return the counts of a worker} */
    public static RetryFunctions of(Rpc rpc) {
        return rpc.locals().get(RetryFunctions.class, RetryFunctions::new);
    }

    /** {@return the number of runs under a key} */
    public int runs(String key) {
        return runs.getOrDefault(key, 0);
    }

    /** {@return the tensor that {@link #state()} returns} */
    public Tensor stateHere() {
        return state;
    }

    private static int add(String key) {
        return of(Rpc.current()).runs.merge(key, 1, Integer::sum);
    }

    /** Count a run under a key, and return the count. */
    @RemoteCallable
    public static int count(String key) {
        return add(key);
    }

    /** As {@link #count}, retried until it is answered, whatever the caller's policy. */
    @RemoteCallable
    @Retry(maxRetries = 1000, firstDelayMillis = 1, backoff = 1, attemptTimeoutMillis = 100)
    public static int countMarked(String key) {
        return add(key);
    }

    /** As {@link #count}, as a script function. */
    @ScriptFunction
    public static int countInScript(String key) {
        return add(key);
    }

    /** As {@link #count}, asynchronously. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Integer> countLater(String key) {
        RpcPromise<Integer> promise = Rpc.current().promise();
        promise.complete(add(key));
        return promise;
    }

    /** As {@link #count}, then block at the door of the same name. */
    @RemoteCallable
    public static int countAndHold(String key) throws InterruptedException {
        return Gate.hold(key, add(key));
    }

    /** As {@link #count}, then fail. */
    @RemoteCallable
    public static int countAndFail(String key) {
        throw new IllegalStateException("run " + add(key) + " of " + key);
    }

    /** As {@link #count}, then read a reference and close it. */
    @RemoteCallable
    public static int countAndRead(String key, RRef<Integer> rref) {
        try (rref) {
            return add(key) * rref.toHere();
        }
    }

    /** Return a new reference to the count of a key. */
    @RemoteCallable
    public static RRef<Integer> countToReference(String key) {
        return Rpc.current().rref(add(key));
    }

    /** Return a tensor that keeps changing. */
    @RemoteCallable
    public static Tensor state() {
        add("state");
        return of(Rpc.current()).state;
    }

    /** A value with a method. */
    public static final class Tally {
        private final String key;

        @RemoteCallable
        public Tally(String key) {
            this.key = key;
        }

        /** As {@link RetryFunctions#count}. */
        @RemoteCallable
        public int count() {
            return add(key);
        }
    }
}
