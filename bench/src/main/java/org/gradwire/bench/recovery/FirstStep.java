package org.gradwire.bench.recovery;

import org.gradwire.rpc.Rpc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The first step of a worker that is newer than those before a change of the group. After it the
 * worker prints a line: its rank, its process id, and the time in microseconds since 1970.
 */
final class FirstStep {
    private final Rpc rpc;
    private final long newest;
    private boolean isDone;

    /**
     * Expect the step.
     *
     * @param newest the number of the newest step before the change
     */
    FirstStep(Rpc rpc, long newest) {
        this.rpc = rpc;
        this.newest = newest;
    }

    /** {@return whether a step was not done before the change} */
    boolean isNew(long step) {
        return step > newest;
    }

    /** Print the line if this step is the first new one. */
    void done(long step) {
        if (!isDone && isNew(step)) {
            isDone = true;
            long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            System.out.printf(
                    "first %d %d %d%n", rpc.self().id(), ProcessHandle.current().pid(), micros);
        }
    }
}
