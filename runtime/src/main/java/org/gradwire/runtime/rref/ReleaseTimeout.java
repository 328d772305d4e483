package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcException;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The timeout of waits for the deletion of references, which a stop may end early. */
final class ReleaseTimeout {
    private final long start = System.nanoTime();
    private final long nanos;
    private final BooleanSupplier over;

    ReleaseTimeout(Duration most, BooleanSupplier over) {
        this.nanos = TimeUnit.NANOSECONDS.convert(most);
        this.over = over;
    }

    /**
     * Wait on a monitor that the caller holds until a condition is met.
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
                throw new RpcException("interrupted while references were released");
            }
        }
        return true;
    }
}
