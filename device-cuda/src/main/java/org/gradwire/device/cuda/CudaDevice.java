package org.gradwire.device.cuda;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** One GPU: its context, memory, streams and kernels. */
final class CudaDevice {
    private static final int STREAMS = 32;

    private final int index;
    private final Driver.Properties properties;
    private final MemorySegment context;
    private final BlockAllocator allocator;
    private final KernelCache kernels;
    private final AtomicReferenceArray<@Nullable CudaStream> streams =
            new AtomicReferenceArray<>(STREAMS);

    CudaDevice(int index, Path cache, long memoryLimit) {
        this.index = index;
        this.properties = Driver.properties(index);
        this.context = Driver.retainContext(properties.handle());
        this.allocator = new BlockAllocator(this, memoryLimit);
        this.kernels = new KernelCache(this, cache);
    }

    int index() {
        return index;
    }

    Driver.Properties properties() {
        return properties;
    }

    MemorySegment context() {
        return context;
    }

    BlockAllocator allocator() {
        return allocator;
    }

    KernelCache kernels() {
        return kernels;
    }

    /**
     * Make this device that of the following calls of the driver. A virtual thread may be on
     * another carrier each time it was suspended, so this precedes all calls.
     */
    void enter() {
        Driver.setCurrent(context);
    }

    /** {@return the stream of this thread; the device is entered} */
    CudaStream stream() {
        enter();
        int slot = (int) (Thread.currentThread().threadId() % STREAMS);
        CudaStream stream = streams.get(slot);
        if (stream == null) {
            synchronized (streams) {
                stream = streams.get(slot);
                if (stream == null) {
                    stream = new CudaStream(this);
                    streams.set(slot, stream);
                }
            }
        }
        return stream;
    }

    /** Wait for all work of this JVM. */
    void synchronize() {
        enter();
        Driver.synchronize();
    }

    @Override
    public String toString() {
        return "cuda:%d (%s)".formatted(index, properties.name());
    }
}
