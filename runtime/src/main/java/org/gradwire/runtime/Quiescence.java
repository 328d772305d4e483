package org.gradwire.runtime;

import org.gradwire.rpc.RpcException;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Finds out that no call is under way anywhere in a group, though serving one may make others.
 *
 * <p>The workers compare in rounds, with a barrier after each, what each of them has under way and
 * how many calls it has begun so far. Nothing under way in one round is not enough: a worker may be
 * given a call after it has reported. Two such rounds between which no call has begun are: then
 * nothing was under way at the barrier between them. (Mattern, "Algorithms for distributed
 * termination detection", 1987, the four counter method.)
 */
final class Quiescence {
    private final StaticGroup group;
    private final List<ActiveCalls> kinds;

    /** Look at calls of these kinds. */
    Quiescence(StaticGroup group, ActiveCalls... kinds) {
        this.group = group;
        this.kinds = List.of(kinds);
    }

    /**
     * Wait until no call is under way anywhere.
     *
     * @param giveUp asked every so often; when it says so, the wait ends
     * @return whether none is
     */
    boolean await(BooleanSupplier giveUp) {
        long begunBefore = -1;
        for (int round = 0; ; round++) {
            if (!awaitNoCalls(giveUp)) {
                return false;
            }
            String name = "calls/" + round;
            // In this order: what begins between the two readings is seen by the second.
            group.sum(name + "/begun", kinds.stream().mapToLong(ActiveCalls::begun).sum());
            group.sum(name + "/active", kinds.stream().mapToLong(ActiveCalls::count).sum());
            if (!group.barrier(name, giveUp)) {
                return false;
            }
            long begun = group.sum(name + "/begun", 0);
            if (group.sum(name + "/active", 0) > 0) {
                begunBefore = -1;
            } else if (begun == begunBefore) {
                return true;
            } else {
                begunBefore = begun;
            }
        }
    }

    private boolean awaitNoCalls(BooleanSupplier giveUp) {
        try {
            return ActiveCalls.awaitNone(kinds, giveUp);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while leaving the group");
        }
    }
}
