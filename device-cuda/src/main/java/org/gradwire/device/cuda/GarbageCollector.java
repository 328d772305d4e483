package org.gradwire.device.cuda;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Requests garbage collections that release memory of a device, since the JVM does not know how
 * much device memory small objects hold.
 */
final class GarbageCollector {
    private static final int PATIENCE = 10;

    private final LongSupplier allocated;
    private final long growth;
    private final AtomicLong allocatedAfterCollection = new AtomicLong();
    private final AtomicBoolean collecting = new AtomicBoolean();

    /**
     * Create a collector.
     *
     * @param allocated the bytes of tensors on the device
     * @param growth of these bytes, after which a collection is due
     */
    GarbageCollector(LongSupplier allocated, long growth) {
        this.allocated = allocated;
        this.growth = growth;
    }

    /** Collect on another thread, if more memory is in use than after the last collection. */
    void collectWhenGrown() {
        if (allocated.getAsLong() > allocatedAfterCollection.get() + growth
                && collecting.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("gradwire-cuda-garbage").start(this::collectAside);
        }
    }

    private void collectAside() {
        try {
            collect();
        } finally {
            collecting.set(false);
        }
    }

    /** Collect, and wait a little until memory is released. */
    void collect() {
        long before = allocated.getAsLong();
        System.gc();
        for (int i = 0; i < PATIENCE && allocated.getAsLong() >= before; i++) {
            try {
                Thread.sleep(1 + i); // the cleaner's thread releases the memory
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        allocatedAfterCollection.set(allocated.getAsLong());
    }
}
