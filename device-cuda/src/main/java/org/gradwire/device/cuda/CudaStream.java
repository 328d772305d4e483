package org.gradwire.device.cuda;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * A queue of work of one device, in which copies and kernels run in order. A thread uses the same
 * one each time; a few threads may share it.
 */
final class CudaStream {
    final CudaDevice device;
    private final MemorySegment handle;
    private final MemorySegment event;
    private final LaunchBuffer launches = new LaunchBuffer();
    private @Nullable MemorySegment shared; // an event of this stream for other processes
    private byte[] sharedHandle = new byte[0];
    private volatile @Nullable CublasHandle products;
    private volatile @Nullable PinnedStaging staging;

    CudaStream(CudaDevice device) {
        this.device = device;
        this.handle = DriverQueue.createStream();
        this.event = eventOf(handle);
    }

    private static MemorySegment eventOf(MemorySegment stream) {
        try {
            return DriverQueue.createEvent(DriverQueue.NO_TIMING);
        } catch (RuntimeException e) {
            DriverQueue.destroyStream(stream);
            throw e;
        }
    }

    MemorySegment handle() {
        return handle;
    }

    /** Order the following work after all work of another stream so far. */
    void await(CudaStream other) {
        if (other == this) {
            return;
        }
        synchronized (other.event) {
            other.device.enter();
            DriverQueue.record(other.event, other.handle);
            device.enter();
            DriverQueue.await(handle, other.event);
        }
    }

    /** {@return the handle of an event that other processes can wait for, recorded now} */
    byte[] recordForOthers() {
        synchronized (launches) {
            device.enter();
            MemorySegment known = shared;
            if (known == null) {
                known = DriverQueue.createEvent(DriverQueue.NO_TIMING | DriverQueue.INTERPROCESS);
                sharedHandle = DriverSharing.exportEvent(known);
                shared = known;
            }
            DriverQueue.record(known, handle);
            return sharedHandle.clone();
        }
    }

    /** Wait on this thread until all work so far is done. */
    void synchronize() {
        device.enter();
        DriverQueue.synchronize(handle);
    }

    /** {@return memory for the arguments of launches; the caller locks it} */
    LaunchBuffer launches() {
        return launches;
    }

    /** {@return this stream's memory for copies from and to the host} */
    PinnedStaging staging() {
        PinnedStaging known = staging;
        if (known == null) {
            synchronized (launches) {
                known = staging;
                if (known == null) {
                    device.enter();
                    known = new PinnedStaging(this);
                    staging = known;
                }
            }
        }
        return known;
    }

    /** {@return this stream's handle of cuBLAS, which the caller locks} */
    CublasHandle products() {
        CublasHandle known = products;
        if (known == null) {
            synchronized (launches) {
                known = products;
                if (known == null) {
                    known = new CublasHandle(this);
                    products = known;
                }
            }
        }
        return known;
    }
}
