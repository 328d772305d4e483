package org.gradwire.runtime.flow;

import org.gradwire.runtime.flow.PeerFlow.QueueDepthQuery;
import org.gradwire.runtime.future.FutureHost;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** Flow control to all peers. Thread-safe. */
public final class Flows {
    private final long limitBytes;
    private final FutureHost host;
    private final IntFunction<QueueDepthQuery> queries;
    private final Map<Integer, PeerFlow> flows = new ConcurrentHashMap<>();

    /**
     * Create the flow control of a worker.
     *
     * @param limitBytes limit on the bytes of calls in flight to one peer, and of replies
     * @param host notified of waits
     * @param queries query the queue depth of a peer, by id
     */
    public Flows(long limitBytes, FutureHost host, IntFunction<QueueDepthQuery> queries) {
        this.limitBytes = limitBytes;
        this.host = host;
        this.queries = queries;
    }

    /** {@return flow control to a peer} */
    public PeerFlow to(int peer) {
        PeerFlow flow = flows.get(peer);
        return flow == null
                ? flows.computeIfAbsent(
                        peer, id -> new PeerFlow(limitBytes, host, queries.apply(id)))
                : flow;
    }

    /** {@return bytes of calls in flight} */
    public long callBytes() {
        return flows.values().stream().mapToLong(PeerFlow::callBytes).sum();
    }

    /** {@return the number of deferred calls of peers} */
    public int heldCalls() {
        return flows.values().stream().mapToInt(PeerFlow::heldCalls).sum();
    }

    /** {@return the number of threads that wait to make a call} */
    public int waitingCalls() {
        return flows.values().stream().mapToInt(PeerFlow::waitingCalls).sum();
    }
}
