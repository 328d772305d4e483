package org.gradwire.runtime.flow;

import org.gradwire.runtime.flow.PeerFlow.LineQuestion;
import org.gradwire.runtime.future.FutureHost;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** What is under way to each of the peers. */
public final class Flows {
    private final long limitBytes;
    private final FutureHost host;
    private final IntFunction<LineQuestion> questions;
    private final Map<Integer, PeerFlow> flows = new ConcurrentHashMap<>();

    /**
     * Create the flows of a worker.
     *
     * @param limitBytes most bytes of calls that may be under way to one peer, and of replies
     * @param host told of waits
     * @param questions how each peer is asked, by id
     */
    public Flows(long limitBytes, FutureHost host, IntFunction<LineQuestion> questions) {
        this.limitBytes = limitBytes;
        this.host = host;
        this.questions = questions;
    }

    /** {@return the flow to a peer} */
    public PeerFlow to(int peer) {
        PeerFlow flow = flows.get(peer);
        return flow == null
                ? flows.computeIfAbsent(
                        peer, id -> new PeerFlow(limitBytes, host, questions.apply(id)))
                : flow;
    }

    /** {@return bytes of calls that are under way} */
    public long callBytes() {
        return flows.values().stream().mapToLong(PeerFlow::callBytes).sum();
    }

    /** {@return how many calls of peers are held back} */
    public int heldCalls() {
        return flows.values().stream().mapToInt(PeerFlow::heldCalls).sum();
    }

    /** {@return how many threads wait to make a call} */
    public int waitingCalls() {
        return flows.values().stream().mapToInt(PeerFlow::waitingCalls).sum();
    }
}
