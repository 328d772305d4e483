package org.gradwire.nn.remote;

import org.gradwire.rpc.Rpc;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serializes the steps of all optimizers of a worker, since several trainers may optimize the same
 * parameters.
 */
final class StepLock {
    private final ReentrantLock lock = new ReentrantLock(/* fair= */ true);

    private StepLock() {}

    static StepLock of(Rpc rpc) {
        return rpc.locals().get(StepLock.class, StepLock::new);
    }

    /** Run an action exclusively. Cancelling the call ends the wait. */
    <T> T alone(Callable<T> action) throws Exception {
        lock.lockInterruptibly();
        try {
            return action.call();
        } finally {
            lock.unlock();
        }
    }
}
