package org.gradwire.conformance.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The state that the programs of the cases keep on each worker: how far each rank is, and with
 * which autograd context.
 */
public final class CaseState {
    private final Map<Integer, Long> contextIds =
            new ConcurrentHashMap<>(); // by distance of the rank that reported
    private final Set<Long> knownContextIds = ConcurrentHashMap.newKeySet();

    private CaseState() {}

    /** {@return the state of a worker} */
    public static CaseState of(Rpc rpc) {
        return rpc.local(CaseState.class, CaseState::new);
    }

    /**
     * Learn that a worker some ranks away is done with its calls.
     *
     * @param contextId of the autograd context it made them in
     */
    @RemoteCallable
    public static void setRpcDone(long contextId, int distance) {
        CaseState state = of(Rpc.current());
        synchronized (state) {
            state.contextIds.put(distance, contextId);
            state.knownContextIds.add(contextId);
            state.notifyAll();
        }
    }

    /**
     * Wait until the worker some ranks away is done, and return the autograd context it made its
     * calls in.
     */
    public synchronized long awaitRpcDone(int distance) throws InterruptedException {
        long deadline = System.nanoTime() + 30_000_000_000L;
        Long id;
        while ((id = contextIds.get(distance)) == null) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new AssertionError(
                        "the worker at distance " + distance + " was not done in time");
            }
            wait(left);
        }
        return id;
    }

    /** {@return the autograd contexts that other workers told of} */
    public Set<Long> knownContextIds() {
        return knownContextIds;
    }
}
