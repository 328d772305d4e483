package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcException;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** How long to wait for references to be given up, and when not to wait at all any more. */
final class Patience {
    private final long start = System.nanoTime();
    private final long nanos;
    private final BooleanSupplier over;

    Patience(Duration most, BooleanSupplier over) {
        this.nanos = TimeUnit.NANOSECONDS.convert(most);
        this.over = over;
    }

    /**
     * Wait on a monitor, which the caller holds, until a condition is met.
     *
     * @return whether it is
     * @throws RpcException when the thread is interrupted
     */
    boolean await(Object monitor, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0 || over.getAsBoolean()) {
                return false;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(monitor, left);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new RpcException("interrupted while references were given up");
            }
        }
        return true;
    }
}
