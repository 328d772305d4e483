package org.gradwire.conformance.cases.autograd;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Per-worker state of the cases: the progress of each rank and its autograd context. */
public final class CaseState {
    private final Map<Integer, Long> contextIds =
            new ConcurrentHashMap<>(); // by distance of the reporting rank
    private final Set<Long> knownContextIds = ConcurrentHashMap.newKeySet();

    private CaseState() {}

    /** {@return the state of a worker} */
    public static CaseState of(Rpc rpc) {
        return rpc.locals().get(CaseState.class, CaseState::new);
    }

    /**
     * Record that the worker at a distance has finished its calls.
     *
     * @param contextId id of the autograd context of those calls
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
     * Wait until the worker at a distance has finished, and return the id of its autograd context.
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

    /** {@return ids of the autograd contexts that other workers announced} */
    public Set<Long> knownContextIds() {
        return knownContextIds;
    }
}
