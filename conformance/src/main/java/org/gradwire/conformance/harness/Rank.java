package org.gradwire.conformance.harness;

import org.gradwire.rpc.Rpc;

import java.util.List;

/**
 * One worker of a {@link World}, as the body of a case sees it. Used by the thread of that worker
 * only.
 */
public final class Rank {
    private final Rpc rpc;
    private final List<String> names;
    private int roundRobin;

    Rank(Rpc rpc, List<String> names) {
        this.rpc = rpc;
        this.names = names;
        this.roundRobin = rpc.self().id();
    }

    public Rpc rpc() {
        return rpc;
    }

    /** {@return the rank of this worker} */
    public int id() {
        return rpc.self().id();
    }

    public int worldSize() {
        return names.size();
    }

    /** {@return the name of this worker} */
    public String name() {
        return rpc.self().name();
    }

    /**
     * {@return the name of the worker whose rank is this one's plus a number, around the circle}
     */
    public String name(int offset) {
        return names.get(Math.floorMod(id() + offset, names.size()));
    }

    /** {@return the name of the next worker} */
    public String next() {
        return name(1);
    }

    /**
     * {@return the next destination in turn: the next rank first, then each in order, never this
     * worker}
     */
    public String roundRobin() {
        do {
            roundRobin = (roundRobin + 1) % names.size();
        } while (roundRobin == id());
        return names.get(roundRobin);
    }
}
