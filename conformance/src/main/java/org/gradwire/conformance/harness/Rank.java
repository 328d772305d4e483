package org.gradwire.conformance.harness;

import org.gradwire.rpc.Rpc;

import java.util.List;

/**
 * One worker of a {@link ThreadWorld}, passed to the body of a case. Confined to that worker's
 * thread.
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

    /** {@return the worker} */
    public Rpc rpc() {
        return rpc;
    }

    /** {@return the rank of this worker} */
    public int id() {
        return rpc.self().id();
    }

    /** {@return the number of workers in the group} */
    public int worldSize() {
        return names.size();
    }

    /** {@return the name of this worker} */
    public String name() {
        return rpc.self().name();
    }

    /** {@return the name of the worker at an offset from this rank, modulo the world size} */
    public String name(int offset) {
        return names.get(Math.floorMod(id() + offset, names.size()));
    }

    /** {@return the name of the next worker} */
    public String next() {
        return name(1);
    }

    /**
     * {@return the next destination in round-robin order, starting after this rank and skipping it}
     */
    public String roundRobin() {
        do {
            roundRobin = (roundRobin + 1) % names.size();
        } while (roundRobin == id());
        return names.get(roundRobin);
    }
}
