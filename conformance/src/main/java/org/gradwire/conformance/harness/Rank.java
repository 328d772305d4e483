package org.gradwire.conformance.harness;

import org.gradwire.rpc.Rpc;

/**
 * One worker of a {@link World}, as the body of a case sees it. Used by the thread of that worker
 * only.
 */
public final class Rank {
    private final Rpc rpc;
    private final int worldSize;
    private int roundRobin;

    Rank(Rpc rpc, int worldSize) {
        this.rpc = rpc;
        this.worldSize = worldSize;
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
        return worldSize;
    }

    /** {@return the name of this worker} */
    public String name() {
        return rpc.self().name();
    }

    /**
     * {@return the name of the worker whose rank is this one's plus a number, around the circle}
     */
    public String name(int offset) {
        return "worker" + Math.floorMod(id() + offset, worldSize);
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
            roundRobin = (roundRobin + 1) % worldSize;
        } while (roundRobin == id());
        return "worker" + roundRobin;
    }
}
