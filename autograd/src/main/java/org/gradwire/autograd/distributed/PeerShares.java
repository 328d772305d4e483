package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the open contexts that each other worker has introduced here, and its calls recorded in
 * open contexts. Not thread-safe.
 */
final class PeerShares {
    /** Most open contexts that messages of one worker may create. */
    static final int MOST_CONTEXTS = 10_000;

    /** Most recorded calls of one worker, in all open contexts. */
    static final int MOST_CALLS = 250_000;

    private final Map<Integer, Count> contexts = new HashMap<>(); // by worker, as are the others
    private final Map<Integer, Count> calls = new HashMap<>();
    private final Map<ContextState, Map<Integer, Count>> callsByContext = new HashMap<>();

    /** A positive number. */
    private static final class Count {
        private int value;
    }

    /**
     * Count a context that a worker introduces.
     *
     * @throws RpcException if it has introduced too many
     */
    void addContext(int worker) {
        if (!add(contexts, worker, MOST_CONTEXTS)) {
            throw refusal(
                    "worker %d has introduced %d open autograd contexts here",
                    worker, MOST_CONTEXTS);
        }
    }

    /**
     * Count a call of a worker in a context.
     *
     * @throws RpcException if it has made too many
     */
    void addCall(ContextState context, int worker) {
        if (!add(calls, worker, MOST_CALLS)) {
            throw refusal(
                    "worker %d has made %d calls here in autograd contexts that are open",
                    worker, MOST_CALLS);
        }
        Map<Integer, Count> ofContext =
                callsByContext.computeIfAbsent(context, _ -> new HashMap<>());
        ofContext.computeIfAbsent(worker, _ -> new Count()).value++;
    }

    private static boolean add(Map<Integer, Count> counts, int worker, int most) {
        Count count = counts.computeIfAbsent(worker, _ -> new Count());
        if (count.value == most) {
            return false;
        }
        count.value++;
        return true;
    }

    private static RpcException refusal(String what, int worker, int most) {
        return new RpcException(
                RpcErrorKind.REFUSED,
                what.formatted(worker, most)
                        + ", the most that one worker may; close contexts whose passes are over");
    }

    /** Subtract a released context and its calls. */
    void remove(ContextState context) {
        subtract(contexts, context.introducer(), 1);
        Map<Integer, Count> ofContext = callsByContext.remove(context);
        if (ofContext != null) {
            ofContext.forEach((worker, count) -> subtract(calls, worker, count.value));
        }
    }

    private static void subtract(Map<Integer, Count> counts, int worker, int number) {
        Count count = counts.get(worker);
        if (count != null) { // null for a context that was opened here
            count.value -= number;
            if (count.value == 0) {
                counts.remove(worker);
            }
        }
    }
}
