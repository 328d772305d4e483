package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts what other workers have left in the contexts that are open here, which each of them may do
 * up to a limit: contexts, and calls recorded in them. Not thread-safe.
 */
final class PeerShares {
    /** Contexts that the messages of one worker have made. */
    static final int MOST_CONTEXTS = 10_000;

    /** Calls of one worker that were recorded, in all contexts that are open. */
    static final int MOST_CALLS = 250_000;

    private final Map<Integer, Count> contexts = new HashMap<>(); // by worker, as are the others
    private final Map<Integer, Count> calls = new HashMap<>();
    private final Map<ContextState, Map<Integer, Count>> callsByContext = new HashMap<>();

    /** A number above 0. */
    private static final class Count {
        private int value;
    }

    /**
     * A worker brings a context.
     *
     * @throws RpcException when it has brought too many
     */
    void addContext(int worker) {
        if (!add(contexts, worker, MOST_CONTEXTS)) {
            throw refusal(
                    "worker %d has brought %d open autograd contexts here", worker, MOST_CONTEXTS);
        }
    }

    /**
     * A worker makes a call in a context.
     *
     * @throws RpcException when it has made too many
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

    /** A context was released. */
    void remove(ContextState context) {
        subtract(contexts, context.introducer(), 1);
        Map<Integer, Count> ofContext = callsByContext.remove(context);
        if (ofContext != null) {
            ofContext.forEach((worker, count) -> subtract(calls, worker, count.value));
        }
    }

    private static void subtract(Map<Integer, Count> counts, int worker, int number) {
        Count count = counts.get(worker);
        if (count != null) { // of a context that was opened here there is none
            count.value -= number;
            if (count.value == 0) {
                counts.remove(worker);
            }
        }
    }
}
