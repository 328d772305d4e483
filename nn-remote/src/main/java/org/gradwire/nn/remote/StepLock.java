package org.gradwire.nn.remote;

import org.gradwire.rpc.Rpc;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the optimizers of a worker apart. One for all of them: several trainers have optimizers of
 * their own over the same parameters.
 */
final class StepLock {
    private final ReentrantLock lock = new ReentrantLock(/* fair= */ true);

    private StepLock() {}

    static StepLock of(Rpc rpc) {
        return rpc.local(StepLock.class, StepLock::new);
    }

    /** Run an action while no other one runs. A call that is cancelled waits no longer. */
    <T> T alone(Callable<T> action) throws Exception {
        lock.lockInterruptibly();
        try {
            return action.call();
        } finally {
            lock.unlock();
        }
    }
}
