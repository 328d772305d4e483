package org.gradwire.collective;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The members of a group, by rank.
 *
 * @param digest of the identity
 * @param rank of this worker
 */
record Members(GroupId identity, long digest, WorkerInfo[] workers, int rank) {

    static Members of(GroupId identity, WorkerInfo[] workers, int rank) {
        return new Members(identity, identity.digest(), workers, rank);
    }

    int size() {
        return workers.length;
    }

    int id(int of) {
        return workers[of].id();
    }

    String name(int of) {
        return workers[of].name();
    }

    String self() {
        return workers[rank].name();
    }

    List<String> names(BitSet ranks) {
        List<String> names = new ArrayList<>();
        ranks.stream().forEach(member -> names.add(name(member)));
        return names;
    }

    boolean has(int id) {
        for (WorkerInfo worker : workers) {
            if (worker.id() == id) {
                return true;
            }
        }
        return false;
    }

    /**
     * Return the rank of a worker.
     *
     * @throws RpcException if it is not a member
     */
    int rankOf(int id) {
        for (int member = 0; member < workers.length; member++) {
            if (workers[member].id() == id) {
                return member;
            }
        }
        throw new RpcException(
                RpcErrorKind.REFUSED,
                "worker %d is not a member of the group %s".formatted(id, identity.name()));
    }

    /** {@return the ranks of all but this worker} */
    BitSet others() {
        BitSet others = new BitSet(size());
        others.set(0, size());
        others.clear(rank);
        return others;
    }

    /** {@return the set of one rank} */
    BitSet only(int member) {
        BitSet only = new BitSet(size());
        only.set(member);
        return only;
    }
}
