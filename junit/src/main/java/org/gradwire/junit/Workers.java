package org.gradwire.junit;

import org.gradwire.rpc.Rpc;

import java.util.Iterator;
import java.util.List;

/**
 * The group of a test, with the workers {@code worker0}, {@code worker1} and so on. Usable by any
 * thread until the test ends.
 */
public final class Workers implements Iterable<Rpc> {
    private final List<Rpc> all;
    private final int seed;
    private volatile boolean seedUsed;

    Workers(List<Rpc> all, int seed) {
        this.all = List.copyOf(all);
        this.seed = seed;
    }

    /**
     * {@return a worker}
     *
     * @param rank from 0 on
     * @throws IndexOutOfBoundsException when there are fewer workers
     */
    public Rpc get(int rank) {
        return all.get(rank);
    }

    /** {@return all workers, by rank} */
    public List<Rpc> all() {
        return all;
    }

    /** {@return the number of workers} */
    public int size() {
        return all.size();
    }

    /**
     * {@return the seed of this test's group} A test may draw from it too: the failure of a test
     * that has called this names the seed.
     */
    public int seed() {
        seedUsed = true;
        return seed;
    }

    boolean seedUsed() {
        return seedUsed;
    }

    @Override
    public Iterator<Rpc> iterator() {
        return all.iterator();
    }

    @Override
    public String toString() {
        return all.stream().map(Rpc::self).toList().toString();
    }
}
