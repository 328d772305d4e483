package org.gradwire.runtime.simulation;

import org.jspecify.annotations.Nullable;

/** The wait of a thread for an event of a simulation. */
public final class Wait {
    private final Simulation simulation;
    private final @Nullable SimulatedThread thread; // null: a thread of the program
    private boolean isSuspended; // these guarded by this
    private boolean isOver;

    Wait(Simulation simulation, @Nullable SimulatedThread thread) {
        this.simulation = simulation;
        this.thread = thread;
    }

    /** End the wait. */
    public void end() {
        SimulatedThread toResume;
        synchronized (this) {
            toResume = isOver || !isSuspended ? null : thread;
            isOver = true;
        }
        if (toResume != null) {
            simulation.add(0, toResume::go);
        }
    }

    /**
     * Wait until {@link #end} is called, or the time has passed.
     *
     * @param nanos limit of simulated time; {@link Long#MAX_VALUE} means none
     * @throws org.gradwire.rpc.RpcException if no event is left that could end it
     */
    public void await(long nanos) {
        if (nanos < Long.MAX_VALUE) {
            var _ = simulation.schedule(this::end, nanos);
        }
        if (thread != null) {
            suspend(thread);
            return;
        }
        while (!isOver()) {
            if (!simulation.step() && !isOver()) {
                throw simulation.atRest();
            }
        }
    }

    private void suspend(SimulatedThread self) {
        synchronized (this) {
            if (isOver) {
                return;
            }
            isSuspended = true;
        }
        self.suspend();
    }

    private synchronized boolean isOver() {
        return isOver;
    }
}
