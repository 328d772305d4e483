package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.thread.InFlightCounter;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Distributed termination detection: waits until no call is in flight anywhere in a group, although
 * a served call may make others.
 *
 * <p>In rounds, with a barrier after each, the workers add up their calls in flight and the calls
 * that they have begun so far. One round without calls in flight is not enough: a worker may
 * receive a call after it has reported. Two such rounds with no call begun between them are enough:
 * then no call was in flight at the barrier between them. (Mattern, "Algorithms for distributed
 * termination detection", 1987, the four counter method.)
 */
final class Quiescence {
    private final StaticGroup group;
    private final List<InFlightCounter> kinds;

    /** Observe the calls of some kinds. */
    Quiescence(StaticGroup group, List<InFlightCounter> kinds) {
        this.group = group;
        this.kinds = kinds;
    }

    /**
     * Wait until no call is in flight anywhere.
     *
     * @param giveUp polled; ends the wait
     * @return whether none is in flight
     */
    boolean await(BooleanSupplier giveUp) {
        long begunBefore = -1;
        for (int round = 0; ; round++) {
            if (!awaitNoCalls(giveUp)) {
                return false;
            }
            String name = "calls/" + round;
            // In this order: a call that begins between the two readings is in the second.
            group.sum(name + "/begun", kinds.stream().mapToLong(InFlightCounter::begun).sum());
            group.sum(name + "/active", kinds.stream().mapToLong(InFlightCounter::count).sum());
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
            return InFlightCounter.awaitNone(kinds, giveUp);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while leaving the group");
        }
    }
}
