package org.gradwire.runtime.simulation;

import org.jspecify.annotations.Nullable;

/** The wait of one thread for something that happens in a simulation. */
public final class Wait {
    private final Simulation simulation;
    private final @Nullable SimulatedThread thread; // null: one of the program
    private boolean isSuspended; // these guarded by this
    private boolean isOver;

    Wait(Simulation simulation, @Nullable SimulatedThread thread) {
        this.simulation = simulation;
        this.thread = thread;
    }

    /** What is waited for has come, or the time is up. */
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
     * Wait until {@link #end} is called, or the time is up.
     *
     * @param nanos of the simulation's time; {@link Long#MAX_VALUE} means without end
     * @throws org.gradwire.rpc.RpcException when neither will ever be
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
